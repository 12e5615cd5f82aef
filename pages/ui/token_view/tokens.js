// How a token is drawn, once, for every component. Plain script: Python puts glyphs, model, rows, tile, token_keys,
// token_copy, tokens, tree and card in front of a component's own script, so all names below are simply there.
//
//   const view = new TokenText(container, options)      one listbox of token tiles; only the rows in sight exist
//     options: label                accessible name of the listbox
//              onHover(token)       pointer over or focus on a token; token = { start, end, symbol, id }, see model.js
//              onPick(token|null)   click, Enter or Space; null for Esc
//              classOf(token)       extra class names of a tile, or ""; their style is the component's own
//              wrap: false          one line per line of text, scrolling sideways
//   view.setModel(model)            a TextModel; lays out the rows once, and not again for another cut of the same chunks
//   view.show(k, { close: ms })     the tokens after k merges; only tiles that differ are touched. With `close` the cut
//                                   shrinks and the fills cross-fade in that time (0: at once)
//   view.ring(gaps, state)          a ring round the two tokens at each gap (gap i is behind byte i); state "next"
//                                   (cut dotted) or "joined" (underline 4 px); [] takes the rings away
//   view.pin(symbol|null, byte)     outline every token of that symbol, the one at `byte` marked; the others lose their fill
//   view.outOfSight(gaps) -> { above, below, previous, next }    counts, and a byte to scroll to (or -1)
//   view.scrollTo(byte)  view.refresh()  view.layout()  view.destroy()  view.k  view.model
//   drawToken(bytes, { special })   one token as an inline element, for a card, a table, a tree
//   colourOf(bytes) -> 0..7         the same token has the same colour everywhere
//   applyTheme(root)                sets class "dark" on a root with class "tokens" from the page's background
//   matchCells(root)                makes letters exactly one cell wide, once the font is known
//   followWidth(root) -> observer   sets class "phone" while the root is narrow: smaller cells. Class "present": large ones

const PAPER_BETWEEN_CHUNKS = 4;
const PHONE_WIDTH = 640;
const SPARE_ROWS = 2; // drawn above and below what is in sight, so that scrolling shows no blank

class TokenText {
  constructor(container, options = {}) {
    this.options = options;
    this.k = 0;
    this.rows = new Map(); // number of a row in sight -> its pieces
    this.rings = { gaps: new Set(), state: "next" };
    this.pinned = { symbol: null, byte: -1 };
    this.keys = new TokenKeys(this);
    this.copy = new TokenCopy(this);
    this.box = container.appendChild(document.createElement("div"));
    this.box.className = options.wrap === false ? "rows sideways" : "rows";
    this.box.setAttribute("role", "listbox");
    this.box.setAttribute("aria-label", options.label ?? "The text in tokens");
    this.sheet = this.box.appendChild(document.createElement("div"));
    this.sheet.className = "sheet";
    this.sheet.setAttribute("role", "presentation");
    this.listen();
    this.resizing = new ResizeObserver(() => this.layout());
    this.resizing.observe(this.box);
  }

  listen() {
    const tileOf = (event) => event.target.closest?.(".tile");
    const on = (type, handler) => this.box.addEventListener(type, handler);
    on("scroll", () => this.renderRows());
    on("pointerover", (event) => tileOf(event) && this.options.onHover?.(this.tokenOf(tileOf(event))));
    on("focusin", (event) => tileOf(event) && this.keys.focused(tileOf(event)));
    on("click", (event) => this.clicked(tileOf(event)));
    on("keydown", (event) => this.keys.pressed(event));
    on("copy", (event) => this.copy.copied(event));
    on("pointerdown", () => this.box.classList.remove("all-selected"));
  }

  destroy() {
    this.resizing.disconnect();
    clearTimeout(this.keys.naming);
    this.box.remove();
  }

  // --- layout -------------------------------------------------------------------

  setModel(model) {
    const sameText = this.model?.payload.text[1] === model.payload.text[1];
    const sameRows = sameText && this.hasRowsOf(model);
    this.model = model;
    if (!sameText) {
      this.keys.active = 0;
      this.box.classList.remove("all-selected");
    }
    this.rings = { gaps: new Set(), state: "next" };
    this.k = Math.min(this.k, model.numMerges);
    this.pin(null);
    if (sameRows) return this.repaint();
    this.laidOutFor = null;
    if (!sameText) this.box.scrollTop = 0;
    this.box.classList.toggle("empty", model.bytes.length === 0);
    this.layout();
  }

  // Rows depend on the text and its chunks alone, so another cut of the same chunks stands in the same places.
  hasRowsOf(model) {
    if (!this.laidOutFor || !this.rows.size || this.model.labels !== model.labels) return false;
    if (String([...this.model.documents]) !== String([...model.documents])) return false;
    for (let gap = 0; gap < model.gaps.length; gap++) if (this.model.isWall(gap) !== model.isWall(gap)) return false;
    return true;
  }

  repaint() {
    for (const { pieces } of this.rows.values()) for (const piece of pieces) this.paint(piece, 0);
    this.keys.setTabStop();
    this.keys.nameSoon();
  }

  // Rows depend on the text, the width and the size of a cell, never on k: nothing moves when tokens join.
  layout() {
    if (!this.model || !this.box.clientWidth) return;
    const width = this.box.clientWidth - 2 * ROW_MARGIN;
    const style = getComputedStyle(this.box);
    const cell = parseFloat(style.getPropertyValue("--cell"));
    const row = parseFloat(style.getPropertyValue("--row"));
    if (this.laidOutFor === `${width} ${cell}`) return;
    const firstByte = this.laidOutFor ? this.layoutRows.starts[this.firstRowInSight()] : 0;
    this.laidOutFor = `${width} ${cell}`;
    this.rowHeight = row;
    this.layoutRows = layOutRows(this.model, cell, this.options.wrap === false ? Infinity : width);
    this.sheet.style.height = `${this.layoutRows.starts.length * row}px`;
    this.sheet.style.width = this.options.wrap === false ? `${this.layoutRows.width + 2 * ROW_MARGIN}px` : "";
    if (firstByte) this.box.scrollTop = this.layoutRows.rowOf(firstByte) * row;
    this.refresh();
  }

  firstRowInSight() {
    return Math.max(0, Math.floor(this.box.scrollTop / this.rowHeight));
  }

  lastRowInSight() {
    const last = Math.ceil((this.box.scrollTop + this.box.clientHeight) / this.rowHeight) - 1;
    return Math.min(this.layoutRows.starts.length - 1, last);
  }

  refresh() {
    for (const row of this.rows.values()) row.element.remove();
    this.rows.clear();
    if (this.layoutRows) this.renderRows();
  }

  renderRows() {
    const first = Math.max(0, this.firstRowInSight() - SPARE_ROWS);
    const last = Math.min(this.layoutRows.starts.length - 1, this.lastRowInSight() + SPARE_ROWS);
    if (!this.copy.hasSelection()) this.dropRows(first, last);
    for (let number = first; number <= last; number++) if (!this.rows.has(number)) this.addRow(number);
    this.keys.setTabStop();
    this.keys.nameSoon();
  }

  // A row that holds the focus stays, or the keyboard would lose its place.
  dropRows(first, last) {
    const focused = this.keys.focusedTile();
    for (const [number, row] of this.rows) {
      if ((number >= first && number <= last) || row.element.contains(focused)) continue;
      row.element.remove();
      this.rows.delete(number);
    }
  }

  addRow(number) {
    const element = document.createElement("div");
    element.className = "row";
    element.setAttribute("role", "presentation");
    element.style.top = `${number * this.rowHeight}px`;
    const pieces = this.layoutRows.piecesOf(number);
    this.markDocument(element, this.model.documents.get(this.layoutRows.starts[number]));
    for (const piece of pieces) {
      piece.tiles = [];
      piece.element = element.appendChild(document.createElement("span"));
      piece.element.className = "chunk";
      piece.element.setAttribute("role", "presentation");
      piece.element.style.left = `${this.layoutRows.left[piece.start] + ROW_MARGIN}px`;
      this.paint(piece, 0);
      if (this.model.labels && piece.end === piece.chunkEnd) this.addLabel(element, piece.end);
    }
    const later = [...this.rows.keys()].filter((other) => other > number);
    const before = later.length ? this.rows.get(Math.min(...later)).element : null;
    this.sheet.insertBefore(element, before); // rows stand in reading order, for selections and screen readers
    this.rows.set(number, { element, pieces });
  }

  markDocument(row, number) {
    if (!number) return;
    row.classList.add("new-document");
    const label = row.appendChild(document.createElement("span"));
    label.className = "document-label";
    label.textContent = documentName(number);
  }

  addLabel(row, end) {
    const { left, widthOfByte } = this.layoutRows;
    const label = row.appendChild(document.createElement("span"));
    label.className = "chunk-label";
    label.style.left = `${left[end - 1] + widthOfByte(end - 1) + ROW_MARGIN + 2}px`;
    label.textContent = this.model.labels.get(end) ?? "";
  }

  // --- painting -----------------------------------------------------------------

  show(k, { close = 0 } = {}) {
    if (!this.model) return;
    const from = Math.min(k, this.k);
    const to = Math.max(k, this.k);
    this.k = k;
    for (const { pieces } of this.rows.values()) {
      for (const piece of pieces) if (from !== to && this.changes(piece, from, to)) this.paint(piece, close);
    }
    this.keys.setTabStop();
    this.keys.nameSoon();
  }

  // Does a gap in or at the edge of this piece close between `from` and `to` merges? Tokens are largest after `to`.
  changes({ start, end }, from, to) {
    const gaps = this.model.gaps;
    const last = this.model.tokenAt(end - 1, to).end - 1;
    for (let gap = this.model.tokenAt(start, to).start; gap < last; gap++) {
      if (gaps[gap] >= from && gaps[gap] < to) return true;
    }
    return false;
  }

  paint(piece, close) {
    const focused = this.keys.focusedTile();
    const hadFocus = focused && piece.element.contains(focused);
    const before = piece.tiles;
    const old = new Map(before.map((tile) => [tile.start, tile]));
    let next = piece.element.firstChild;
    piece.tiles = this.tokensOf(piece).map((token) => {
      const tile = this.reuse(old, token, piece) ?? piece.element.insertBefore(this.newTile(token, piece), next);
      next = tile.nextSibling;
      return tile;
    });
    for (const tile of old.values()) tile.remove();
    this.markTwins(piece.tiles);
    if (close) for (const tile of piece.tiles) if (!before.includes(tile)) showClosing(tile, before, close);
    this.drawRings(piece);
    if (hadFocus) this.tileAt(this.keys.active)?.focus({ preventScroll: true });
  }

  // A long chunk's piece may begin or end inside a token; the tile then shows only the bytes of this row.
  tokensOf({ start, end }) {
    const tokens = [];
    for (let i = start; i < end; i = tokens[tokens.length - 1].end) tokens.push(this.model.tokenAt(i, this.k));
    return tokens;
  }

  reuse(old, token, piece) {
    const tile = old.get(Math.max(token.start, piece.start));
    const { start, end, symbol, id } = tile?.token ?? {};
    if (start !== token.start || end !== token.end || symbol !== token.symbol || id !== token.id) return null;
    if (tile.extra !== this.options.classOf?.(token)) return null;
    old.delete(tile.start);
    return tile;
  }

  newTile(token, piece) {
    const tile = TILE.cloneNode();
    tile.token = token;
    tile.start = Math.max(token.start, piece.start);
    tile.end = Math.min(token.end, piece.end);
    this.dress(tile, piece);
    const { bytes, lengths, widths } = this.model;
    if (token.special) tile.textContent = token.special.toUpperCase();
    else fillTile(tile, bytes, lengths, widths, tile.start, tile.end);
    return tile;
  }

  dress(tile, piece) {
    const { token, start, end } = tile;
    const left = this.layoutRows.left;
    const learned = token.end - token.start > 1;
    tile.colour = learned ? colourOf(this.model.bytes, token.start, token.end) : -1;
    let name = token.special ? "tile special" : learned ? `tile c${tile.colour}` : "tile raw";
    if (start > token.start) name += " from-before";
    if (end < token.end) name += this.model.bytes[end - 1] === 10 ? " goes-on after-feed" : " goes-on";
    if (this.pinned.symbol !== null && this.isPinned(token)) name += this.pinMark(token);
    tile.extra = this.options.classOf?.(token);
    tile.className = tile.extra ? `${name} ${tile.extra}` : name;
    const width = left[end - 1] + this.layoutRows.widthOfByte(end - 1) - left[start];
    tile.style.cssText = `left:${left[start] - left[piece.start]}px;width:${width}px`;
  }

  // Two neighbours of one colour get a line of ink between them.
  markTwins(tiles) {
    tiles.forEach((tile, i) => {
      const twin = i > 0 && tile.colour >= 0 && tile.colour === tiles[i - 1].colour;
      if (tile.classList.contains("twin") !== twin) tile.classList.toggle("twin", twin);
    });
  }

  // --- rings and pins -------------------------------------------------------------

  ring(gaps, state = "next") {
    this.rings = { gaps: new Set(gaps), state };
    for (const { pieces } of this.rows.values()) for (const piece of pieces) this.drawRings(piece);
  }

  drawRings(piece) {
    piece.element.querySelectorAll(".ring").forEach((ring) => ring.remove());
    if (!this.rings.gaps.size) return;
    // A pair that is broken over two rows is ringed in both.
    for (const gap of this.ringGapsNear(piece)) {
      const start = this.model.tokenAt(gap, this.k).start;
      const end = this.model.tokenAt(gap + 1, this.k).end;
      if (end <= piece.start || start >= piece.end) continue;
      piece.element.appendChild(this.drawRing(piece, gap, start, end));
    }
  }

  ringGapsNear({ start, end }) {
    const found = [];
    const last = this.model.tokenAt(end - 1, this.k).end - 1;
    for (let gap = this.model.tokenAt(start, this.k).start - 1; gap <= last; gap++) {
      if (this.rings.gaps.has(gap)) found.push(gap);
    }
    return found;
  }

  drawRing(piece, gap, start, end) {
    const { left } = this.layoutRows;
    const from = Math.max(start, piece.start);
    const to = Math.min(end, piece.end);
    const ring = document.createElement("span");
    ring.className = `ring ${this.rings.state}${from > start ? " from-before" : ""}${to < end ? " goes-on" : ""}`;
    ring.setAttribute("aria-hidden", "true");
    const x = left[from] - left[piece.start];
    ring.style.cssText = `left:${x}px;width:${left[to - 1] + this.layoutRows.widthOfByte(to - 1) - left[from]}px`;
    if (gap >= from && gap + 1 < to) ring.style.setProperty("--cut", `${left[gap + 1] - left[from]}px`);
    else ring.classList.add("no-cut");
    return ring;
  }

  pin(symbol, byte = -1, id = undefined) {
    this.pinned = { symbol, byte, id };
    this.box.classList.toggle("has-pin", symbol !== null);
    for (const tile of this.tiles()) {
      tile.classList.remove("pinned", "same");
      if (symbol !== null && this.isPinned(tile.token)) tile.className += this.pinMark(tile.token);
    }
    this.keys.nameSoon(); // their names say which one is pinned
  }

  isPinned(token) {
    return this.pinned.symbol >= 0 ? token.symbol === this.pinned.symbol : token.id === this.pinned.id;
  }

  pinMark(token) {
    const here = token.start <= this.pinned.byte && this.pinned.byte < token.end;
    return here ? " same pinned" : " same";
  }

  outOfSight(gaps) {
    const { rowOf } = this.layoutRows;
    const [first, last] = [this.firstRowInSight(), this.lastRowInSight()];
    const result = { above: 0, below: 0, previous: -1, next: -1 };
    for (const gap of gaps) {
      const row = rowOf(gap);
      if (row < first) [result.above, result.previous] = [result.above + 1, gap];
      if (row > last && result.below++ === 0) result.next = gap;
    }
    return result;
  }

  scrollTo(byte) {
    const top = this.layoutRows.rowOf(byte) * this.rowHeight;
    const outside = top < this.box.scrollTop || top + this.rowHeight > this.box.scrollTop + this.box.clientHeight;
    if (outside) this.box.scrollTop = top - Math.floor((this.box.clientHeight - this.rowHeight) / 2);
    this.renderRows();
  }

  // --- tiles --------------------------------------------------------------------

  *tiles() {
    for (const { pieces } of this.rows.values()) for (const piece of pieces) yield* piece.tiles;
  }

  tileAt(byte) {
    const row = this.layoutRows && this.rows.get(this.layoutRows.rowOf(byte));
    const piece = row?.pieces.find(({ start, end }) => start <= byte && byte < end);
    return piece?.tiles.find(({ start, end }) => start <= byte && byte < end);
  }

  tokenOf(tile) {
    return { ...this.model.tokenAt(tile.start, this.k), at: tile.start };
  }

  clicked(tile) {
    if (tile && !this.copy.hasSelection()) this.options.onPick?.(this.tokenOf(tile));
  }
}
