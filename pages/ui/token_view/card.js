// The one docked token card: everything known of a token. Hover and focus fill it, a click pins it.
//
//   const card = new TokenCard(container, { onPin(token|null), onWatch(symbol) })   onWatch is optional: a button
//                                            with { folded: true } the tree of merges is behind a fold
//   card.uncover(tile)                       scrolls a tile that the card would hide on a narrow screen
//   card.alone = true                        no text stands beside it: it counts in the whole text only
//   card.show(model, token, k, { pinned })      token as in model.js, or null for an empty card
//   card.root                                   the element, class "card"; class "open" while pinned (bottom sheet)

const MOSTLY_TAKEN = "Later merges took most of them into longer tokens.";
const ORDINAL = new Intl.PluralRules("en", { type: "ordinal" });
const ORDINAL_ENDS = { one: "st", two: "nd", few: "rd", other: "th" };

const ordinal = (number) => number.toLocaleString("en") + ORDINAL_ENDS[ORDINAL.select(number)];

class TokenCard {
  constructor(container, { onPin, onWatch = null, folded = false }) {
    Object.assign(this, { onPin, onWatch, folded });
    this.root = container.appendChild(document.createElement("aside"));
    this.root.className = "card";
    this.root.setAttribute("aria-label", "Token card");
    this.root.addEventListener("keydown", ({ key }) => key === "Escape" && this.pinned && this.onPin(null));
    this.head = this.add(this.root, "header");
    this.body = this.add(this.root, "div", "card-body");
    this.foot = this.add(this.root, "footer");
    this.pinButton = this.button("Pin", () => this.onPin(this.pinned ? null : this.token));
    this.pinNote = this.add(this.foot, "span", "pin-note");
    this.watchButton = this.button("Watch these merges", () => this.onWatch(this.token.symbol), "watch");
    this.closeButton = this.button("×", () => this.onPin(null), "close"); // shown where the card is a sheet
    this.closeButton.setAttribute("aria-label", "Close");
    this.show(null, null, 0);
  }

  add(parent, tag, className = "", text = "") {
    const element = parent.appendChild(document.createElement(tag));
    if (className) element.className = className;
    if (text) element.textContent = text;
    return element;
  }

  button(label, action, className = "") {
    const button = this.add(this.foot, "button", className, label);
    button.type = "button";
    button.addEventListener("click", action);
    return button;
  }

  show(model, token, k, { pinned = false } = {}) {
    const same = token && this.token && this.model === model && this.describes === this.keyOf(token);
    Object.assign(this, { model, token, pinned });
    this.root.classList.toggle("open", pinned);
    this.foot.hidden = !token;
    if (!token) return this.showNothing();
    if (!same) this.fill();
    this.describes = this.keyOf(token);
    this.pinButton.textContent = pinned ? "Unpin" : "Pin";
    this.pinButton.setAttribute("aria-pressed", pinned);
    this.pinNote.textContent = pinned ? "Only this token is coloured. Unpin to see all." : "Pin it to see where else it is.";
    this.watchButton.hidden = !this.onWatch || token.symbol < 256;
    this.showUses(k);
  }

  // Where the card is a sheet over the page, a token that was tapped must not lie under it.
  uncover(tile) {
    requestAnimationFrame(() => {
      if (!tile || getComputedStyle(this.root.parentElement).position !== "fixed") return;
      const covered = tile.getBoundingClientRect().bottom > this.root.getBoundingClientRect().top;
      if (covered) tile.scrollIntoView({ block: "center" });
    });
  }

  // Two tokens of one symbol look alike, except that the halves of a character depend on what stands around them.
  keyOf({ id, start, end }) {
    const [before, after] = this.halvesIn(start, end);
    return before || after ? `${id} ${before} ${after}` : `${id}`;
  }

  showNothing() {
    this.describes = null;
    this.head.replaceChildren();
    this.body.replaceChildren();
    this.add(this.head, "span", "card-title", "Token");
    this.add(this.body, "p", "quiet", "Point at a token, or reach it with the Tab and arrow keys.");
  }

  fill() {
    const { model, token } = this;
    this.bytes = model.bytes.subarray(token.start, token.end);
    this.head.replaceChildren();
    const tile = this.add(this.head, "div", "card-tile");
    tile.appendChild(drawToken(this.bytes.subarray(0, 64), { special: token.special }));
    if (this.bytes.length > 64) this.add(tile, "span", "quiet", ` … ${this.bytes.length - 64} bytes more`);
    this.add(this.head, "span", "card-id", `id ${token.id.toLocaleString("en")}`);
    this.head.appendChild(this.closeButton);
    this.body.replaceChildren();
    this.body.scrollTop = 0;
    this.list = this.add(this.body, "dl");
    this.fillBytes();
    this.fillMerges();
    this.uses = this.line("uses now", "");
    this.taken = this.mostAreTaken(model.numMerges) ? this.add(this.body, "p", "taken", MOSTLY_TAKEN) : null;
    if (token.symbol >= 256 && model.lengthOf(token.symbol)) this.fillTree();
  }

  fillTree() {
    if (this.folded) return this.foldTree();
    this.add(this.body, "div", "card-title", "Made of, by rank");
    this.body.appendChild(drawTree(this.model, this.token.symbol));
  }

  foldTree() {
    const { model, token } = this;
    const fold = this.add(this.body, "details");
    this.add(fold, "summary", "", "Made of, by rank");
    fold.addEventListener("toggle", () => fold.childElementCount > 1 || fold.appendChild(drawTree(model, token.symbol)));
  }

  line(term, text, className = "") {
    this.add(this.list, "dt", "", term);
    return this.add(this.list, "dd", className, text);
  }

  fillBytes() {
    const shown = this.bytes.subarray(0, 200);
    const more = this.bytes.length > 200 ? " …" : "";
    this.line(this.bytes.length === 1 ? "1 byte" : `${this.bytes.length.toLocaleString("en")} bytes`, hexText(shown) + more, "code");
    this.line("decimal", Array.from(shown).join(" ") + more, "code");
    this.line("characters", this.characters());
  }

  // "7", or "2: é U+00E9 …" if some are not ASCII, and which part of a character the token begins or ends with.
  characters() {
    const { start, end } = this.token;
    const whole = segmentCharacters(this.model, start, end);
    const halves = this.halvesIn(start, end).filter(Boolean);
    const special = whole.some((code) => code > 126 || code < 32);
    const named = special ? whole.slice(0, 12).map((code) => `${visibleCharacter(code)} U+${code.toString(16).toUpperCase().padStart(4, "0")}`) : [];
    const list = named.length ? `: ${named.join(", ")}${whole.length > 12 ? ", …" : ""}` : "";
    const count = whole.length || !halves.length ? [`${whole.length.toLocaleString("en")}${list}`] : [];
    return [...count, ...halves].join("; ");
  }

  // What part of a character start..end cuts off at its front and at its end, in words; "" for none.
  halvesIn(start, end) {
    const { lengths } = this.model;
    let first = start;
    while (first > 0 && lengths[first] === 0) first--;
    let last = end - 1;
    while (last > first && lengths[last] === 0) last--;
    const front = lengths[start] === 0 ? this.partOf(first, start, Math.min(end, first + lengths[first])) : "";
    const cutOff = lengths[last] !== BROKEN && last + lengths[last] > end && last >= start;
    return [front, cutOff ? this.partOf(last, last, end) : ""];
  }

  partOf(character, start, end) {
    const { bytes, lengths } = this.model;
    const length = lengths[character];
    const [from, to] = [start - character + 1, end - character];
    const which = from === to ? `byte ${from}` : `bytes ${from}–${to}`;
    return `${which} of ${length} of ${visibleCharacter(codePoint(bytes, character, length))}`;
  }

  fillMerges() {
    const { model, token } = this;
    if (token.special) return void this.line("kind", "special token, no merge makes it");
    if (token.symbol < 0) return void this.line("kind", "no merge makes it");
    if (token.symbol < 256) return void this.line("kind", "a single byte, there from the start");
    const rank = model.rankOf(token.symbol);
    const count = model.countOf(token.symbol);
    this.line("rank", `${rank.toLocaleString("en")} (the ${ordinal(rank + 1)} merge learned)`);
    if (count !== null) this.line("counted when learned", count.toLocaleString("en"));
    if (!model.given) this.line("one token", `from size ${(model.firstId + rank + 1).toLocaleString("en")}`);
  }

  showUses(k) {
    const { model, token } = this;
    const here = token.symbol >= 0 ? model.usesHere(token.symbol, k) : null;
    const corpus = token.symbol >= 0 ? model.usesInCorpus(token.symbol, k) : null;
    const parts = [];
    const isWhole = model.totals?.[0] === model.bytes.length;
    if (here !== null && !this.alone && !isWhole) parts.push(`${here.toLocaleString("en")} in this excerpt`);
    if (corpus !== null) parts.push(`${corpus.toLocaleString("en")} in all of ${model.corpusName}`);
    this.uses.textContent = parts.join(", ") || "–";
    this.taken?.classList.toggle("not-now", !this.mostAreTaken(k)); // its room stays: nothing moves with the size
  }

  // Did merges up to `k` take more than half of what was counted? They take ever more as k grows.
  mostAreTaken(k) {
    const { model, token } = this;
    const count = model.countOf(token.symbol);
    if (!count || !model.totals || token.symbol - 256 >= k) return false;
    return 2 * (model.replaced[token.symbol - 256] - model.usesInCorpus(token.symbol, k)) > count;
  }
}

function segmentCharacters({ bytes, lengths }, start, end) {
  const codes = [];
  for (let i = start; i < end; i++) {
    if (lengths[i] && lengths[i] !== BROKEN && i + lengths[i] <= end) codes.push(codePoint(bytes, i, lengths[i]));
  }
  return codes;
}

const visibleCharacter = (code) => visibleText(new TextEncoder().encode(String.fromCodePoint(code)));
