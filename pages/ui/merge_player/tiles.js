// Tiles: the picture of a textbook trace. A few words, one in each row, cut into symbols that are strings, not bytes.
//
// TileModel reads the payload of pages/ui/merge_player/tile_payload.py. It answers the player's questions as the
// model of a text does: numMerges, gapsOfMerge(rank), totalAt(k). Gap i is behind symbol i, all words in a row; -1 in
// the payload is a gap that no merge closes. TileText draws it and has the methods of TokenText that the player uses.

class TileModel {
  constructor(payload) {
    Object.assign(this, payload); // words, merges, totals, unit
    this.numMerges = this.merges.length;
    this.symbols = this.words.flatMap(({ symbols }) => symbols);
    this.gaps = this.words.flatMap(({ gaps }) => [...gaps.map((rank) => (rank < 0 ? Infinity : rank)), Infinity]);
    this.starts = [];
    let start = 0;
    for (const { symbols } of this.words) {
      this.starts.push(start);
      start += symbols.length;
    }
  }

  gapsOfMerge(rank) {
    return this.gaps.flatMap((gapRank, gap) => (gapRank === rank ? [gap] : []));
  }

  totalAt(k) {
    return this.totals[k];
  }

  tokenFrom(start, k) {
    let end = start + 1;
    while (this.gaps[end - 1] < k) end++;
    return { start, end };
  }

  tokenAt(symbol, k) {
    let start = symbol;
    while (start > 0 && this.gaps[start - 1] < k) start--;
    return this.tokenFrom(start, k);
  }

  tokensOfWord(word, k) {
    const tokens = [];
    const end = this.starts[word] + this.words[word].symbols.length;
    for (let i = this.starts[word]; i < end; i = tokens[tokens.length - 1].end) tokens.push(this.tokenFrom(i, k));
    return tokens;
  }

  textOf({ start, end }) {
    return this.symbols.slice(start, end).join("");
  }
}

const cellsOf = (symbol) => (symbol === "</w>" ? 3 : Math.max(1, [...symbol].length));

// One token of a trace as an element; a single symbol is grey, as a byte is in a text.
function drawSymbols(symbols) {
  const tile = document.createElement("span");
  const text = symbols.join("");
  const bytes = new TextEncoder().encode(text);
  tile.className = `tile inline symbols ${symbols.length > 1 ? `c${colourOf(bytes)}` : "raw"}`;
  tile.style.width = `calc(var(--cell) * ${symbols.reduce((sum, symbol) => sum + cellsOf(symbol), 0)})`;
  for (const symbol of symbols) {
    const part = tile.appendChild(document.createElement("span"));
    part.className = symbol === "</w>" ? "symbol end-mark" : "symbol";
    part.style.width = `calc(var(--cell) * ${cellsOf(symbol)})`;
    part.textContent = symbol;
  }
  return tile;
}

class TileText {
  constructor(container) {
    this.box = container.appendChild(document.createElement("div"));
    this.box.className = "rows tile-rows";
    this.box.setAttribute("role", "list");
    this.box.setAttribute("aria-label", "The words in symbols");
    this.box.tabIndex = 0;
    this.k = 0;
    this.rings = { gaps: new Set(), state: "next" };
  }

  destroy() {
    this.box.remove();
  }

  setModel(model) {
    this.model = model;
    this.k = Math.min(this.k, model.numMerges);
    this.box.replaceChildren();
    this.lines = model.words.map((word) => this.addWord(word));
    this.drawAll();
  }

  addWord({ count }) {
    const row = this.box.appendChild(document.createElement("div"));
    row.className = "word";
    row.setAttribute("role", "listitem");
    const times = row.appendChild(document.createElement("span"));
    times.className = "times";
    times.textContent = `×${count.toLocaleString("en")}`;
    const line = row.appendChild(document.createElement("span"));
    line.className = "line";
    return line;
  }

  drawAll() {
    this.lines.forEach((line, word) => this.drawWord(line, word));
  }

  drawWord(line, word) {
    const tiles = this.model.tokensOfWord(word, this.k).map((token) => this.drawTile(token));
    line.replaceChildren(...tiles);
    line.parentElement.setAttribute("aria-label", tiles.map((tile) => tile.textContent).join(" "));
  }

  drawTile(token) {
    const tile = drawSymbols(this.model.symbols.slice(token.start, token.end));
    const { gaps, state } = this.rings;
    const holds = (gap) => gaps.has(gap);
    if (holds(token.end - 1)) tile.classList.add("ring-left");
    if (holds(token.start - 1)) tile.classList.add("ring-right");
    const inside = state === "joined" && [...gaps].some((gap) => gap >= token.start && gap < token.end - 1);
    if (inside) tile.classList.add("ring-whole");
    return tile;
  }

  show(k, { close = 0 } = {}) {
    const before = this.k;
    this.k = k;
    if (!this.model || before === k) return;
    this.drawAll();
    if (close) this.fadeChanged(Math.min(before, k), Math.max(before, k), close);
  }

  // The new tiles come up out of the picture that was there.
  fadeChanged(from, to, duration) {
    this.lines.forEach((line, word) =>
      this.model.tokensOfWord(word, this.k).forEach(({ start, end }, i) => {
        const near = this.model.gaps.slice(Math.max(start - 1, 0), end).some((rank) => rank >= from && rank < to);
        if (near) line.children[i].animate([{ filter: "opacity(0.35)" }, { filter: "none" }], { duration });
      }),
    );
  }

  ring(gaps, state = "next") {
    this.rings = { gaps: new Set(gaps), state };
    if (this.model) this.drawAll();
  }

  outOfSight() {
    return { above: 0, below: 0, previous: -1, next: -1 };
  }

  scrollTo() {}
}
