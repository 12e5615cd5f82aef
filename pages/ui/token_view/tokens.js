// How a token is drawn, once, for every component. Plain script: Python puts glyphs.js, model.js, rows.js, tokens.js
// and card.js in front of a component's own script, so all names below are simply there.
//
//   const view = new TokenText(container, options)      one listbox of token tiles; only the rows in sight exist
//     options: label                accessible name of the listbox
//              onHover(token)       pointer over or focus on a token; token = { start, end, symbol, id }, see model.js
//              onPick(token|null)   click, Enter or Space; null for Esc
//              classOf(token)       extra class names of a tile, or "" (lanes: "part" has an outline, "agrees" no fill)
//              wrap: false          one line per line of text, scrolling sideways
//   view.setModel(model)            a TextModel; lays out the rows once
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

// FNV-1a, mixed: needs no table, so a token keeps its colour in every text, size and vocabulary.
function colourOf(bytes, start = 0, end = bytes.length) {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x7feb352d);
  hash ^= hash >>> 15;
  return (hash >>> 0) % 8;
}

function applyTheme(root) {
  const colour = getComputedStyle(root).getPropertyValue("--st-background-color");
  const probe = document.createElement("canvas").getContext("2d");
  probe.fillStyle = colour.trim() || "#fff";
  probe.fillRect(0, 0, 1, 1);
  const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
  root.classList.toggle("dark", 0.299 * red + 0.587 * green + 0.114 * blue < 128);
}

function matchCells(root) {
  const style = getComputedStyle(root);
  const font = () => `${style.getPropertyValue("--token-font-size")} ${style.getPropertyValue("--token-font")}`;
  const measure = () => {
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = font();
    const letter = pen.measureText("0".repeat(64)).width / 64;
    root.style.setProperty("--letter", `${letter}px`);
    root.style.setProperty("--letter-14", `${(letter * 14) / parseFloat(pen.font)}px`); // small tiles are set in 14 px
  };
  measure();
  document.fonts.load(font()).then(measure, () => {}); // a font that cannot be loaded is not used either
}

function followWidth(root) {
  const follow = () => root.classList.toggle("phone", root.clientWidth > 0 && root.clientWidth < PHONE_WIDTH);
  const observer = new ResizeObserver(follow);
  observer.observe(root);
  follow();
  return observer;
}

// --- one tile -------------------------------------------------------------------

const TILE = document.createElement("span");
TILE.setAttribute("role", "option");
TILE.tabIndex = -1;

const widthOf = (widths, start, end) => {
  let cells = 0;
  for (let i = start; i < end; i++) cells += widths[i];
  return cells;
};

// Puts the text of bytes start..end into `tile`; `widths` are in cells.
function fillTile(tile, bytes, lengths, widths, start, end) {
  const segments = segmentsOf(bytes, lengths, start, end);
  if (segments.length === 1 && segments[0].kind === "plain") {
    tile.textContent = segments[0].text;
    return;
  }
  tile.classList.add("segmented");
  tile.replaceChildren(...segments.map((segment) => drawSegment(segment, lengths, widths)));
}

function drawSegment({ kind, text, start, end }, lengths, widths) {
  const element = document.createElement("span");
  element.className = `segment ${kind}`;
  if (kind === "half") element.className += edgesOfCharacter(lengths, start);
  element.style.width = `calc(var(--cell) * ${widthOf(widths, start, end)})`;
  element.start = start;
  element.end = end;
  const stacked = kind === "half" || kind === "control" || (kind === "named" && text.startsWith("U+"));
  if (kind === "shown") fitGlyph(element, text, widthOf(widths, start, end));
  if (!stacked) element.textContent = text;
  else for (const half of stack(text)) element.appendChild(document.createElement("i")).textContent = half;
  return element;
}

// A few characters are far wider than their bytes allow (U+FDFD is a whole sentence): those are set smaller.
const glyphWidths = new Map(); // in em
const glyphPen = document.createElement("canvas").getContext("2d");

function fitGlyph(element, text, cells) {
  if (!glyphWidths.has(text)) {
    glyphPen.font = "100px monospace";
    glyphWidths.set(text, glyphPen.measureText(text).width / 100);
  }
  const em = (cells * 11.5) / 17; // the ratio of cell to font is nearly one for all scales
  if (glyphWidths.get(text) > em * 1.1) element.style.fontSize = `${(em / glyphWidths.get(text)).toFixed(3)}em`;
}

// The dotted edge runs over all bytes of a character and stops short of its neighbours.
function edgesOfCharacter(lengths, byte) {
  const next = lengths[byte + 1];
  const ends = lengths[byte] === BROKEN || next === undefined || next > 0;
  return `${lengths[byte] ? " first" : ""}${ends ? " last" : ""}`;
}

const stack = (text) => {
  const digits = text.replace("U+", "");
  const middle = Math.ceil(digits.length / 2);
  return [digits.slice(0, middle), digits.slice(middle)];
};

function drawToken(bytes, { special } = {}) {
  const tile = document.createElement("span");
  tile.className = special ? "tile inline special" : `tile inline ${bytes.length > 1 ? `c${colourOf(bytes)}` : "raw"}`;
  if (special) {
    tile.textContent = special;
    return tile;
  }
  const lengths = characterLengths(bytes);
  const widths = byteWidths(bytes, lengths);
  fillTile(tile, bytes, lengths, widths, 0, bytes.length);
  tile.style.width = `calc(var(--cell) * ${widthOf(widths, 0, bytes.length)})`;
  return tile;
}

// --- the text -------------------------------------------------------------------

class TokenText {
  constructor(container, options = {}) {
    this.options = options;
    this.k = 0;
    this.rows = new Map(); // number of a row in sight -> its pieces
    this.rings = { gaps: new Set(), state: "next" };
    this.pinned = { symbol: null, byte: -1 };
    this.active = 0; // the byte whose token takes the focus
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
    on("focusin", (event) => tileOf(event) && this.focused(tileOf(event)));
    on("click", (event) => this.clicked(tileOf(event)));
    on("keydown", (event) => this.pressed(event));
    on("copy", (event) => this.copied(event));
    on("pointerdown", () => this.box.classList.remove("all-selected"));
  }

  destroy() {
    this.resizing.disconnect();
    clearTimeout(this.naming);
    this.box.remove();
  }

  // --- layout -------------------------------------------------------------------

  setModel(model) {
    const sameText = this.model?.payload.text[1] === model.payload.text[1];
    this.model = model;
    if (!sameText) this.active = 0;
    this.pinned = { symbol: null, byte: -1 };
    this.rings = { gaps: new Set(), state: "next" };
    this.k = Math.min(this.k, model.numMerges);
    this.laidOutFor = null;
    if (!sameText) this.box.scrollTop = 0;
    this.box.classList.remove("has-pin");
    this.box.classList.toggle("empty", model.bytes.length === 0);
    this.layout();
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
    if (!this.hasSelection()) this.dropRows(first, last);
    for (let number = first; number <= last; number++) if (!this.rows.has(number)) this.addRow(number);
    this.setTabStop();
    this.nameSoon();
  }

  // A row that holds the focus stays, or the keyboard would lose its place.
  dropRows(first, last) {
    const focused = this.focusedTile();
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
    this.setTabStop();
    this.nameSoon();
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
    const focused = this.focusedTile();
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
    if (hadFocus) this.tileAt(this.active)?.focus({ preventScroll: true });
  }

  // A long chunk's piece may begin or end inside a token; the tile then shows only the bytes of this row.
  tokensOf({ start, end }) {
    const tokens = [];
    for (let i = start; i < end; i = tokens[tokens.length - 1].end) tokens.push(this.model.tokenAt(i, this.k));
    return tokens;
  }

  reuse(old, token, piece) {
    const tile = old.get(Math.max(token.start, piece.start));
    const { start, end, symbol } = tile?.token ?? {};
    if (start !== token.start || end !== token.end || symbol !== token.symbol) return null;
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
    const extra = this.options.classOf?.(token);
    tile.className = extra ? `${name} ${extra}` : name;
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

  // --- focus and keys -------------------------------------------------------------

  *tiles() {
    for (const { pieces } of this.rows.values()) for (const piece of pieces) yield* piece.tiles;
  }

  tileAt(byte) {
    const row = this.layoutRows && this.rows.get(this.layoutRows.rowOf(byte));
    const piece = row?.pieces.find(({ start, end }) => start <= byte && byte < end);
    return piece?.tiles.find(({ start, end }) => start <= byte && byte < end);
  }

  focusedTile() {
    const focused = this.box.getRootNode().activeElement;
    return focused && this.box.contains(focused) ? focused.closest(".tile") : null;
  }

  // One tile can be reached by Tab: the active one, or the first in sight if that is not drawn.
  setTabStop() {
    if (!this.model?.bytes.length || !this.layoutRows) return;
    const stop = this.tileAt(this.active) ?? this.tileAt(this.layoutRows.starts[this.firstRowInSight()]);
    if (stop === this.stop) return;
    if (this.stop) this.stop.tabIndex = -1;
    if (stop) stop.tabIndex = 0;
    this.stop = stop;
  }

  tokenOf(tile) {
    return { ...this.model.tokenAt(tile.start, this.k), at: tile.start };
  }

  focused(tile) {
    this.active = tile.start;
    this.setTabStop();
    this.name(tile);
    this.options.onHover?.(this.tokenOf(tile));
  }

  clicked(tile) {
    if (tile && !this.hasSelection()) this.options.onPick?.(this.tokenOf(tile));
  }

  pressed(event) {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "a") {
      event.preventDefault();
      this.box.classList.add("all-selected"); // rows out of sight do not exist, so the browser could not select them
      return;
    }
    const tile = this.focusedTile();
    if (event.key === "Escape") {
      this.box.classList.remove("all-selected");
      this.options.onPick?.(null);
    } else if (tile && (event.key === "Enter" || event.key === " ")) this.options.onPick?.(this.tokenOf(tile));
    else if (!tile || event.altKey || !this.move(tile, event.key, event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
  }

  // Focuses the token that a key leads to; false if the key means nothing here.
  move(tile, key, far) {
    const { starts, rowOf } = this.layoutRows;
    const row = rowOf(tile.start);
    const page = Math.max(1, this.lastRowInSight() - this.firstRowInSight());
    const lastByte = this.model.bytes.length - 1;
    const target = {
      ArrowLeft: () => tile.token.start - 1,
      ArrowRight: () => tile.token.end,
      ArrowUp: () => this.byteInRow(row - 1, tile),
      ArrowDown: () => this.byteInRow(row + 1, tile),
      PageUp: () => this.byteInRow(Math.max(0, row - page), tile),
      PageDown: () => this.byteInRow(Math.min(starts.length - 1, row + page), tile),
      Home: () => (far ? 0 : starts[row]),
      End: () => (far ? lastByte : (starts[row + 1] ?? lastByte + 1) - 1),
    }[key]?.();
    if (target === undefined) return false;
    if (target >= 0 && target <= lastByte) this.focusByte(target);
    return true;
  }

  byteInRow(row, tile) {
    const { starts, left } = this.layoutRows;
    if (row < 0 || row >= starts.length) return -1;
    const end = starts[row + 1] ?? this.model.bytes.length;
    let byte = starts[row];
    while (byte + 1 < end && left[byte + 1] <= left[tile.start]) byte++;
    return byte;
  }

  focusByte(byte) {
    this.active = byte;
    this.scrollTo(byte);
    this.tileAt(byte)?.focus({ preventScroll: true });
  }

  // Names carry the token's number, which every merge changes, so they are written when the picture rests.
  nameSoon() {
    clearTimeout(this.naming);
    this.naming = setTimeout(() => this.nameAll(), 150);
  }

  nameAll() {
    const tiles = [...this.tiles()].sort((one, other) => one.start - other.start);
    if (!tiles.length) return;
    let last = tiles[0].token.start;
    let number = this.model.tokenNumber(last, this.k);
    for (const tile of tiles) {
      const start = tile.token.start;
      if (start !== last) number += this.model.tokensBetween(last, start, this.k);
      last = start;
      this.name(tile, number);
    }
  }

  name(tile, number = this.model.tokenNumber(tile.token.start, this.k)) {
    const { start, end, id, special } = tile.token;
    const text = special ? `special token ${special}` : spokenText(this.model.bytes.subarray(start, end));
    const pinned = tile.classList.contains("pinned") ? ", pinned" : "";
    tile.ariaLabel = `token ${number.toLocaleString("en")} of ${this.model.numTokens(this.k).toLocaleString("en")}: ${text}, id ${id}${pinned}`;
    tile.ariaSelected = String(tile.classList.contains("pinned"));
  }

  // --- copying --------------------------------------------------------------------

  // The selection's two ends inside our shadow root; browsers differ in how they tell.
  selectedRange() {
    const root = this.box.getRootNode();
    const selection = root.getSelection?.() ?? document.getSelection();
    if (!selection || !selection.rangeCount) return null;
    const range = selection.getComposedRanges?.({ shadowRoots: [root] })[0] ?? selection.getRangeAt(0);
    const empty = range.startContainer === range.endContainer && range.startOffset === range.endOffset;
    return !empty && this.box.contains(range.startContainer) ? range : null;
  }

  hasSelection() {
    return this.selectedRange() !== null;
  }

  copied(event) {
    const bytes = this.selectedBytes();
    if (!bytes) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", new TextDecoder().decode(bytes));
  }

  selectedBytes() {
    if (this.box.classList.contains("all-selected")) return this.model.bytes;
    const range = this.selectedRange();
    if (!range) return null;
    const start = this.byteOf(range.startContainer, range.startOffset, false);
    const end = this.byteOf(range.endContainer, range.endOffset, true);
    return this.model.bytes.subarray(start, end);
  }

  // Inside a run of plain letters an offset is a byte; anything else is taken whole.
  byteOf(node, offset, atEnd) {
    const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    const holder = element.closest(".segment, .tile");
    if (!holder) return this.byteAtEdge(node, offset, atEnd);
    const plain = node.nodeType === Node.TEXT_NODE && (holder.className === "segment plain" || holder.matches(".tile"));
    if (plain && !holder.matches(".special")) return holder.start + offset;
    return atEnd && offset > 0 ? holder.end : holder.start;
  }

  byteAtEdge(node, offset, atEnd) {
    const tiles = [...(node.querySelectorAll?.(".tile") ?? [])];
    if (!tiles.length) return atEnd ? this.model.bytes.length : 0;
    const after = node.childNodes[offset];
    const following = after && (after.matches?.(".tile") ? after : after.querySelector?.(".tile"));
    return following ? following.start : tiles[tiles.length - 1].end;
  }
}

// The new tile begins with the picture of what was there, and that fades away.
function showClosing(tile, before, duration) {
  const stops = [];
  const origin = parseFloat(tile.style.left);
  for (const old of before) {
    if (old.end <= tile.start || old.start >= tile.end) continue;
    const from = parseFloat(old.style.left) - origin;
    const to = from + parseFloat(old.style.width);
    const fill = old.colour < 0 ? "var(--raw)" : `var(--fill-${old.colour})`;
    stops.push(`var(--paper) ${from}px ${from + 1}px, ${fill} ${from + 1}px ${to - 1}px, var(--paper) ${to - 1}px ${to}px`);
  }
  if (!stops.length) return;
  tile.style.setProperty("--was", `linear-gradient(90deg, ${stops.join(", ")})`);
  tile.style.setProperty("--close", `${duration}ms`);
  tile.classList.add("closing");
  tile.addEventListener("animationend", () => tile.classList.remove("closing"), { once: true });
}
