// TextModel: a text, its gap ranks and the merges behind them; answers every question about its tokens.
//
// Made from the payload of pages/ui/token_view/payload.py (its docstring lists the fields). "k" is always a number of
// merges; a "symbol" is 0-255 for a byte, 256 + rank for a merge; -1 is a token that no merge makes.
//
//   model.tokenAt(byte, k) -> token             the token that holds that byte after k merges
//   model.tokensIn(start, end, k) -> [token]    tokens that begin in start..end
//   token = { start, end, symbol, id }          bytes start..end of the text
//   model.bytesOf(symbol), partsOf(symbol), countOf(symbol), lengthOf(symbol), idOf(symbol)
//   model.numTokens(k)                          tokens of this excerpt      model.tokenNumber(byte, k): 1 for the first
//   model.totalAt(k), model.bytesPerToken(k)    of the whole corpus; of this text if the payload has no corpus
//   model.usesHere(symbol, k), model.usesInCorpus(symbol, k)
//   model.withCut({ gaps, ids })                another cut of the same text, as in a payload with `ids`
//   model.gapsOfMerge(rank) -> Int32Array       the gaps that merge closes here (gap i is behind byte i)
// A payload with `ids` is a cut that is given (a lane, an imported vocabulary): it has one state, whatever k is asked for.

const ARRAY_TYPES = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f8: Float64Array };

// Arrays travel as [type, base64 of the little-endian values].
function unpack([type, base64]) {
  const characters = atob(base64);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < characters.length; i++) bytes[i] = characters.charCodeAt(i);
  return new ARRAY_TYPES[type](bytes.buffer);
}

class TextModel {
  constructor(payload) {
    this.payload = payload;
    this.bytes = unpack(payload.text);
    this.readGaps(payload.gaps);
    this.pairs = unpack(payload.pairs); // left and right symbol of merge 0, of merge 1, …
    this.counts = payload.counts && unpack(payload.counts);
    this.numMerges = this.pairs.length / 2;
    this.firstId = payload.first_id;
    this.specials = new Map(payload.specials ?? []); // id -> name
    this.documents = new Map(payload.documents ?? []); // the byte at which a document begins -> its number from 1
    this.symbolIds = payload.symbol_ids && unpack(payload.symbol_ids);
    this.lengths = characterLengths(this.bytes);
    this.widths = byteWidths(this.bytes, this.lengths);
    this.symbolLengths = this.measureSymbols();
    this.closed = this.countClosed();
    if (payload.ids) this.readGivenCut(unpack(payload.ids));
    if (payload.corpus) this.readCorpus(payload.corpus);
  }

  readGaps(gaps) {
    this.gaps = unpack(gaps);
    this.never = this.gaps instanceof Uint16Array ? 0xfffe : 0xfffffffe;
    this.wall = this.never + 1;
  }

  // The same text and merges, cut as these gaps and ids say.
  withCut({ gaps, ids }) {
    const model = Object.assign(Object.create(TextModel.prototype), this, { totals: undefined, byRank: undefined });
    model.readGaps(gaps);
    model.readGivenCut(unpack(ids));
    this.symbolsById = model.symbolsById; // made once for all cuts
    return model;
  }

  isWall(gap) {
    return this.gaps[gap] === this.wall;
  }

  // --- tokens -----------------------------------------------------------------

  isCut(gap, k) {
    if (this.given) k = 1;
    return gap < 0 || gap >= this.gaps.length || this.gaps[gap] >= k;
  }

  tokenFrom(start, k) {
    const gaps = this.gaps;
    if (this.given) k = 1;
    let end = start;
    let last = -1;
    while (end < gaps.length && gaps[end] < k) {
      if (gaps[end] > last) last = gaps[end];
      end++;
    }
    end++;
    if (this.given) return { start, end, ...this.given.get(start) };
    const symbol = end - start === 1 ? this.bytes[start] : 256 + last;
    return { start, end, symbol, id: this.idOf(symbol) };
  }

  tokenAt(byte, k) {
    let start = byte;
    while (!this.isCut(start - 1, k)) start--;
    return this.tokenFrom(start, k);
  }

  tokensIn(start, end, k) {
    const tokens = [];
    for (let i = start; i < end; i = tokens[tokens.length - 1].end) tokens.push(this.tokenFrom(i, k));
    return tokens;
  }

  numTokens(k) {
    return this.given ? this.given.size : this.bytes.length - this.closed[k];
  }

  tokenNumber(byte, k) {
    return 1 + this.tokensBetween(0, byte, k);
  }

  tokensBetween(start, end, k) {
    let tokens = 0;
    for (let gap = start; gap < end; gap++) if (this.isCut(gap, k)) tokens++;
    return tokens;
  }

  firstLearnedToken(k) {
    const gap = this.gaps.findIndex((rank) => rank < (this.given ? 1 : k));
    return this.bytes.length ? this.tokenAt(Math.max(gap, 0), k) : null;
  }

  gapsOfMerge(rank) {
    this.byRank ??= this.bucketGaps();
    return this.byRank.get(rank) ?? new Int32Array(0);
  }

  bucketGaps() {
    const buckets = new Map();
    this.gaps.forEach((rank, gap) => {
      if (rank >= this.never) return;
      if (buckets.has(rank)) buckets.get(rank).push(gap);
      else buckets.set(rank, [gap]);
    });
    return new Map([...buckets].map(([rank, gaps]) => [rank, Int32Array.from(gaps)]));
  }

  // --- symbols ----------------------------------------------------------------

  idOf(symbol) {
    if (this.symbolIds) return this.symbolIds[symbol];
    return symbol < 256 ? symbol : this.firstId + symbol - 256;
  }

  // The rank in the training; a film of one token's merges numbers its symbols anew.
  rankOf(symbol) {
    return symbol - 256;
  }

  symbolOfId(id) {
    this.symbolsById ??= new Map(Array.from({ length: 256 + this.numMerges }, (_, symbol) => [this.idOf(symbol), symbol]));
    return this.symbolsById.get(id) ?? -1;
  }

  partsOf(symbol) {
    return symbol < 256 ? null : [this.pairs[2 * (symbol - 256)], this.pairs[2 * (symbol - 256) + 1]];
  }

  countOf(symbol) {
    return symbol < 256 || !this.counts ? null : this.counts[symbol - 256];
  }

  lengthOf(symbol) {
    return this.symbolLengths[symbol];
  }

  bytesOf(symbol) {
    const bytes = new Uint8Array(this.lengthOf(symbol));
    const waiting = [symbol];
    for (let i = 0; waiting.length; ) {
      const next = waiting.pop();
      const parts = this.partsOf(next);
      if (parts) waiting.push(parts[1], parts[0]);
      else bytes[i++] = next;
    }
    return bytes;
  }

  // An imported table may list a part after the whole, so it takes passes until nothing is missing.
  measureSymbols() {
    const lengths = new Uint32Array(256 + this.numMerges).fill(1, 0, 256);
    for (let missing = this.numMerges, before = missing + 1; missing && missing < before; ) {
      before = missing;
      missing = 0;
      for (let rank = 0; rank < this.numMerges; rank++) {
        const left = lengths[this.pairs[2 * rank]];
        const right = lengths[this.pairs[2 * rank + 1]];
        if (left && right) lengths[256 + rank] = left + right;
        else missing++;
      }
    }
    return lengths;
  }

  // --- counts -----------------------------------------------------------------

  // closed[k] = gaps of this excerpt that the first k merges close.
  countClosed() {
    const closed = new Uint32Array(this.numMerges + 1);
    for (const rank of this.gaps) if (rank < this.numMerges) closed[rank + 1]++;
    for (let k = 1; k < closed.length; k++) closed[k] += closed[k - 1];
    return closed;
  }

  readCorpus({ name, byte_counts, replaced }) {
    this.corpusName = name;
    this.byteCounts = unpack(byte_counts);
    this.replaced = unpack(replaced); // how often each merge fired in the corpus
    this.corpusBytes = this.byteCounts.reduce((sum, count) => sum + count, 0);
    this.totals = new Float64Array(this.replaced.length + 1);
    this.totals[0] = this.corpusBytes;
    this.replaced.forEach((times, rank) => (this.totals[rank + 1] = this.totals[rank] - times));
  }

  totalAt(k) {
    return this.totals ? this.totals[k] : this.numTokens(k);
  }

  bytesPerToken(k) {
    const total = this.totalAt(k);
    return total ? (this.totals ? this.corpusBytes : this.bytes.length) / total : null;
  }

  usesHere(symbol, k) {
    if (this.given) return [...this.given.values()].filter((token) => token.symbol === symbol).length;
    if (symbol < 256) return this.bytes.reduce((uses, byte, i) => uses + (byte === symbol && this.isAlone(i, k)), 0);
    // A token holds the gap of its own last merge exactly once.
    return this.gapsOfMerge(symbol - 256).reduce((uses, gap) => uses + (this.tokenAt(gap, k).symbol === symbol), 0);
  }

  isAlone(byte, k) {
    return this.isCut(byte - 1, k) && this.isCut(byte, k);
  }

  // Every token made is still there or was used up as a part of a later merge.
  usesInCorpus(symbol, k) {
    if (!this.totals || (symbol >= 256 && symbol - 256 >= k)) return this.totals ? 0 : null;
    let uses = symbol < 256 ? this.byteCounts[symbol] : this.replaced[symbol - 256];
    for (let rank = Math.max(0, symbol - 255); rank < k; rank++) {
      if (this.pairs[2 * rank] === symbol) uses -= this.replaced[rank];
      if (this.pairs[2 * rank + 1] === symbol) uses -= this.replaced[rank];
    }
    return uses;
  }

  // --- a cut that is given ------------------------------------------------------

  readGivenCut(ids) {
    this.given = new Map();
    let token = 0;
    for (let start = 0, gap = 0; start < this.bytes.length; gap++) {
      if (gap < this.gaps.length && this.gaps[gap] < 1) continue;
      const id = ids[token++];
      this.given.set(start, { id, symbol: this.symbolOfId(id), special: this.specials.get(id) });
      start = gap + 1;
    }
  }
}
