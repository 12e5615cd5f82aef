// The text view: size bar, figures, the text in tokens, the token card, and what the marks mean.

const SWEEP_MS = 2400;
const FOUND = ["", "found", "found hit"]; // class names of a tile: not searched for, searched for, the hit gone to
const MARKS_HELP = [
  ["·", "a space"],
  ["↵", "the end of a line"],
  ["→", "a tab"],
  ["grey tile", "a single byte: nothing learned covers it yet"],
  ["coloured tile", "a learned token; the same token has the same colour everywhere"],
  ["line between tiles", "two tokens of one colour side by side"],
  ["wider space", "the edge of a chunk, which no merge may cross"],
  ["two small digits, dotted top", "one byte of a character that is still in pieces, in hex"],
  ["two small digits, solid top", "a control character, in hex"],
  ["small capitals in a frame", "a character that cannot be seen, such as ZWJ or NBSP, by its name"],
  ["⤶", "the token goes on in the next row"],
  ["document 2", "another document begins; no merge crosses the line above it"],
];
const WORDS_HELP = [
  ["Byte", "one of 256 numbers; a plain letter is one, é is two"],
  ["Chunk", "about a word with the space before it; merges stay inside it"],
  ["Merge", "one rule: join these two neighbours"],
  ["Rank", "the merge's number; 0 was learned first"],
  ["Token", "a piece of text that is left after the merges"],
  ["Vocabulary", "all tokens"],
  ["Document", "one separate text; merges stay inside it"],
];

class TextView {
  constructor(parent) {
    this.root = document.createElement("div");
    this.root.className = "tokens text-view";
    this.root.innerHTML = `
      <div class="bar-place"></div>
      <div class="figures" aria-live="off"><div><span class="size-line">size <b class="size"></b></span><span class="parts"></span></div><div><span><b class="measure"></b> bytes per token</span><span><b class="total"></b> tokens in all</span></div></div>
      <div class="text-place"></div>
      <div class="card-place"></div>
      <div class="legend"><span><b>·</b> space</span><span><b>↵</b> line</span><span><b>→</b> tab</span><span class="half-mark"></span><details><summary>What do the marks mean?</summary></details></div>`;
    parent.appendChild(this.root);
    this.drawLegend();
    this.k = 0;
    this.talk = new SizeTalk({ tell: (choice) => this.setStateValue("chosen", choice), onOutside: (size) => this.hearSize(size) });
    this.bar = new SizeBar(this.place("bar"), { onInput: (k) => this.moved(k), onCommit: (k) => this.commit(k) });
    this.text = new TokenText(this.place("text"), {
      label: "The text in tokens",
      onHover: (token) => this.pinned === null && this.showCard(token),
      onPick: (token) => this.pick(token),
      classOf: ({ start, end }) => FOUND[Math.max(0, ...(this.marked?.subarray(start, end) ?? []))],
    });
    this.card = new TokenCard(this.place("card"), { onPin: (token) => this.pick(token), onWatch: (symbol) => this.watch(symbol) });
    this.following = followWidth(this.root);
    this.pinned = null;
    for (const type of ["pointerdown", "keydown", "wheel"]) document.addEventListener(type, this.anyInput, { capture: true, passive: true });
  }

  place(name) {
    return this.root.querySelector(`.${name}-place`);
  }

  drawLegend() {
    const half = this.root.querySelector(".half-mark");
    half.append(drawToken(new Uint8Array([0xe2, 0x80])), " half-character");
    this.drawMeanings("The marks", MARKS_HELP);
    this.drawMeanings("The words", WORDS_HELP);
  }

  drawMeanings(title, meanings) {
    const fold = this.root.querySelector(".legend details");
    fold.appendChild(document.createElement("h4")).textContent = title;
    const list = fold.appendChild(document.createElement("dl"));
    for (const [name, meaning] of meanings) {
      list.appendChild(document.createElement("dt")).textContent = name;
      list.appendChild(document.createElement("dd")).textContent = meaning;
    }
  }

  destroy() {
    for (const type of ["pointerdown", "keydown", "wheel"]) document.removeEventListener(type, this.anyInput, { capture: true });
    cancelAnimationFrame(this.frame);
    cancelAnimationFrame(this.sweeping);
    this.following.disconnect();
    this.text.destroy();
    this.root.remove();
  }

  // --- what the server says ---------------------------------------------------------

  update({ data, setStateValue, setTriggerValue }) {
    Object.assign(this, { data, setStateValue, setTriggerValue });
    applyTheme(this.root);
    matchCells(this.root);
    this.root.style.setProperty("--rows", data.rows);
    const newModel = data.model.signature !== this.signature;
    if (newModel) this.useModel(data);
    else this.talk.hear(data);
    const search = `${data.hit} ${data.found}`;
    if (newModel || search !== this.search) this.showFound(data);
    this.search = search;
  }

  // Outlines the tokens that hold what was searched for, and goes to the hit.
  showFound({ found, hit }) {
    const wanted = new TextEncoder().encode(found);
    const places = wanted.length ? placesOf(wanted, this.model) : [];
    this.marked = places.length ? new Uint8Array(this.model.bytes.length) : null;
    for (const place of places) this.marked.fill(1, place, place + wanted.length);
    this.marked?.fill(2, hit, hit + wanted.length);
    this.text.repaint();
    if (places.length) this.text.scrollTo(Math.min(hit, this.model.bytes.length - 1));
  }

  useModel(data) {
    const first = this.signature === undefined;
    this.signature = data.model.signature;
    this.model = new TextModel(data.model);
    this.talk.begin(data);
    this.pinned = null;
    this.stopSweep();
    const k = this.mergesOf(data.size);
    this.root.classList.toggle("no-sizes", Boolean(this.model.given));
    this.root.querySelector(".parts").parentElement.classList.toggle("with-specials", this.model.firstId > 256);
    this.bar.setModel(this.model, { wantedMerges: data.wanted_merges, stopSentence: data.stop_sentence });
    this.text.setModel(this.model);
    this.showSize(k);
    const token = this.model.firstLearnedToken(k);
    this.showCard(token);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (first && data.sweep && !still && k > 0) this.sweep(k);
  }

  mergesOf(size) {
    return Math.min(Math.max(size - this.model.firstId, 0), this.model.numMerges);
  }

  // A change from outside moves the bar, unless a hand is on it.
  hearSize(size) {
    if (this.bar.dragging) return;
    this.stopSweep();
    this.showSize(this.mergesOf(size));
  }

  // --- size -------------------------------------------------------------------------

  // Many moves may come between two frames; each frame paints once.
  moved(k) {
    this.stopSweep();
    this.wantedK = k;
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.showSize(this.wantedK);
    });
  }

  showSize(k) {
    this.k = k;
    if (this.bar.k !== k) this.bar.set(k);
    this.text.show(k);
    this.showFigures(k);
    if (this.cardByte !== undefined) this.refreshCard();
  }

  showFigures(k) {
    const write = (name, text) => (this.root.querySelector(`.${name}`).textContent = text);
    const measure = this.model.bytesPerToken(k);
    write("size", (this.model.firstId + k).toLocaleString("en"));
    write("parts", sizeInParts(this.model.firstId - 256, k));
    write("measure", ratio(measure));
    write("total", this.model.totalAt(k).toLocaleString("en"));
  }

  commit(k) {
    if (this.frame) cancelAnimationFrame(this.frame);
    this.frame = null;
    if (k !== this.k) this.showSize(k);
    this.talk.choose(this.model.firstId + k);
  }

  // --- the opening sweep --------------------------------------------------------------

  sweep(k) {
    this.sweepEnd = k;
    const end = this.bar.positionOf(k);
    const started = performance.now();
    const step = (now) => {
      const time = Math.min((now - started) / SWEEP_MS, 1);
      const eased = time < 0.5 ? 2 * time * time : 1 - 2 * (1 - time) ** 2;
      this.showSize(time < 1 ? Math.min(this.bar.mergesAt(eased * end), k) : k);
      this.sweeping = time < 1 ? requestAnimationFrame(step) : null;
    };
    this.showSize(0);
    this.sweeping = requestAnimationFrame(step);
  }

  stopSweep() {
    if (!this.sweeping) return;
    cancelAnimationFrame(this.sweeping);
    this.sweeping = null;
  }

  // A hand on the bar takes it over where it is; any other input means "enough": show the size that was asked for.
  anyInput = (event) => {
    if (!this.sweeping) return;
    this.stopSweep();
    if (!event.composedPath().includes(this.bar.track)) this.showSize(this.sweepEnd);
  };

  // --- the card -------------------------------------------------------------------------

  showCard(token) {
    this.cardByte = token ? (token.at ?? token.start) : undefined;
    this.card.onWatch = this.data.watch ? (symbol) => this.watch(symbol) : null;
    this.card.show(this.model, token, this.k, { pinned: this.pinned !== null });
  }

  // While the size changes the card follows its place in the text; a pinned card keeps its token.
  refreshCard() {
    if (this.pinned !== null) this.card.show(this.model, this.pinned, this.k, { pinned: true });
    else this.showCard({ ...this.model.tokenAt(this.cardByte, this.k), at: this.cardByte });
  }

  pick(token) {
    const unpins = !token || (this.pinned && this.pinned.start === token.start && this.pinned.end === token.end);
    const shown = this.pinned ?? token;
    this.pinned = unpins ? null : token;
    this.text.pin(this.pinned ? token.symbol : null, token?.start, token?.id);
    if (unpins && shown) this.showCard({ ...this.model.tokenAt(shown.start, this.k), at: shown.start });
    else if (token) this.showCard(token);
    if (this.pinned) this.card.uncover(this.text.tileAt(token.start));
  }

  watch(symbol) {
    this.setTriggerValue("watch", { symbol });
  }
}

// Where a text holds `wanted`; hits neither overlap nor reach from one document into the next.
function placesOf(wanted, { bytes, documents }) {
  const places = [];
  let next = 0;
  for (let at = bytes.indexOf(wanted[0]); at >= 0; at = bytes.indexOf(wanted[0], next)) {
    const isHit = wanted.every((byte, i) => bytes[at + i] === byte && (i === 0 || !documents.has(at + i)));
    if (isHit) places.push(at);
    next = at + (isHit ? wanted.length : 1);
  }
  return places;
}

const textViews = new WeakMap();

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  if (!textViews.has(parentElement)) textViews.set(parentElement, new TextView(parentElement));
  textViews.get(parentElement).update({ data, setStateValue, setTriggerValue });
  return () => {
    textViews.get(parentElement)?.destroy();
    textViews.delete(parentElement);
  };
}
