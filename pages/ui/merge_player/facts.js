// What is known of each merge, whatever the picture: a text in bytes or a textbook trace.
//
//   script.numMerges               merges of this film
//   script.model                   what the picture is drawn from (TextModel or TileModel)
//   script.gapsOf(rank)            the gaps that the merge closes in the picture
//   script.nextHere(k)             the first merge from k on that occurs in the picture; numMerges if none does
//   script.factsOf(rank)           { rank, ids, counted, joined, tokensBefore, tokensAfter }
//   script.totalAt(k), script.measureAt(k), script.measuredOn
//   script.drawLeft(rank), drawRight(rank), drawJoined(rank) -> element; nameOf(rank) for a screen reader
// A film of one token's merges numbers them from 0 for the playhead; `factsOf(k).rank` is the rank in the training.

class Script {
  constructor(model) {
    this.model = model;
    this.numMerges = model.numMerges;
    this.here = [];
    for (let rank = 0; rank < this.numMerges; rank++) if (model.gapsOfMerge(rank).length) this.here.push(rank);
  }

  gapsOf(rank) {
    return this.model.gapsOfMerge(rank);
  }

  nextHere(k) {
    let low = 0;
    let high = this.here.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.here[middle] < k) low = middle + 1;
      else high = middle;
    }
    return this.here[low] ?? this.numMerges;
  }

  previousHere(k) {
    return this.here.findLast((rank) => rank < k) ?? this.numMerges;
  }

  totalAt(k) {
    return this.model.totalAt(k);
  }
}

class ByteScript extends Script {
  constructor(model, tied) {
    super(model);
    this.tied = tied;
    this.measuredOn = model.corpusName;
  }

  measureAt(k) {
    return this.model.bytesPerToken(k);
  }

  factsOf(rank) {
    const { model } = this;
    return {
      rank,
      ids: [...model.partsOf(256 + rank), 256 + rank].map((symbol) => model.idOf(symbol)),
      counted: model.countOf(256 + rank),
      joined: model.replaced[rank],
      tied: this.tied[rank],
      tokensBefore: model.totalAt(rank),
      tokensAfter: model.totalAt(rank + 1),
    };
  }

  drawPart(symbol) {
    return drawToken(this.model.bytesOf(symbol).subarray(0, 48));
  }

  drawLeft(rank) {
    return this.drawPart(this.model.partsOf(256 + rank)[0]);
  }

  drawRight(rank) {
    return this.drawPart(this.model.partsOf(256 + rank)[1]);
  }

  drawJoined(rank) {
    return this.drawPart(256 + rank);
  }

  leftText(rank) {
    return visibleText(this.model.bytesOf(this.model.partsOf(256 + rank)[0]));
  }

  nameOf(rank) {
    return this.model.partsOf(256 + rank).map((symbol) => spokenText(this.model.bytesOf(symbol))).join(" and ");
  }
}

// The merges of one token and no others: the same gaps, numbered anew. Its facts are still those of the training.
class LineageScript extends Script {
  constructor(whole, symbol) {
    const ranks = ranksInside(whole.model, symbol);
    super(modelOfRanks(whole.model, ranks));
    Object.assign(this, { whole, ranks, symbol });
  }

  factsOf(k) {
    return this.whole.factsOf(this.ranks[k]);
  }

  drawLeft(k) {
    return this.whole.drawLeft(this.ranks[k]);
  }

  drawRight(k) {
    return this.whole.drawRight(this.ranks[k]);
  }

  drawJoined(k) {
    return this.whole.drawJoined(this.ranks[k]);
  }

  leftText(k) {
    return this.whole.leftText(this.ranks[k]);
  }

  nameOf(k) {
    return this.whole.nameOf(this.ranks[k]);
  }
}

// Ranks of all merges that built a symbol, lowest first.
function ranksInside(model, symbol) {
  const ranks = new Set();
  const waiting = [symbol];
  while (waiting.length) {
    const next = waiting.pop();
    const parts = model.partsOf(next);
    if (!parts || ranks.has(next - 256)) continue;
    ranks.add(next - 256);
    waiting.push(...parts);
  }
  return [...ranks].sort((a, b) => a - b);
}

// A part of a token is learned before the whole, so a merge closes its gaps with or without the merges left out here.
function modelOfRanks(model, ranks) {
  const numberOf = new Map(ranks.map((rank, number) => [rank, number]));
  const symbolOf = (symbol) => (symbol < 256 ? symbol : 256 + numberOf.get(symbol - 256));
  const few = Object.create(model);
  few.numMerges = ranks.length;
  few.rankOf = (symbol) => ranks[symbol - 256];
  few.gaps = model.gaps.map((rank) => (rank >= model.never ? rank : (numberOf.get(rank) ?? model.never)));
  few.pairs = Uint32Array.from(ranks.flatMap((rank) => model.partsOf(256 + rank).map(symbolOf)));
  few.counts = model.counts && Float64Array.from(ranks, (rank) => model.counts[rank]);
  few.replaced = null;
  few.totals = null;
  few.symbolIds = [...Array(256).keys(), ...ranks.map((rank) => 256 + rank)].map((symbol) => model.idOf(symbol));
  few.symbolsById = undefined;
  few.byRank = undefined;
  few.symbolLengths = few.measureSymbols();
  few.closed = few.countClosed();
  return few;
}

class TileScript extends Script {
  measuredOn = "these words";

  measureAt(k) {
    const { totals, num_symbols: symbols } = this.model;
    return totals[k] ? symbols / totals[k] : null;
  }

  factsOf(rank) {
    const { ids, count, replaced, tied } = this.model.merges[rank];
    return {
      rank,
      ids,
      counted: count,
      joined: replaced,
      tied,
      tokensBefore: this.totalAt(rank),
      tokensAfter: this.totalAt(rank + 1),
    };
  }

  drawLeft(rank) {
    return drawSymbols(this.model.merges[rank].left);
  }

  drawRight(rank) {
    return drawSymbols(this.model.merges[rank].right);
  }

  drawJoined(rank) {
    return drawSymbols([...this.model.merges[rank].left, ...this.model.merges[rank].right]);
  }

  leftText(rank) {
    return this.model.merges[rank].left.join("");
  }

  nameOf(rank) {
    const { left, right } = this.model.merges[rank];
    return `${left.join("")} and ${right.join("")}`;
  }
}
