// MergePlayer: the film on the page. Film keeps the time, a picture (TokenText or TileText) draws, Rail explains.
//
// data: { signature, kind: "bytes" | "tiles", model, tied, start, what_if }. The server hears of it by the state "at"
// ({ signature, k }: where the film stands) and the trigger "asked" ({ what, k }). What the server counts at a pause
// comes by the second, invisible component (news.js), so that the payload is never sent twice.

const SCRUB_STEPS = 10_000;
const NARROW = 800; // px; below, the rail stands under the picture
const JUMP_FADE = 120;
const TELL_AFTER = 150; // ms without another step
const RECENT_EVERY = 300; // ms, from "fast" on
const KEYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play", "[": "slower", "]": "faster" };

class MergePlayer {
  constructor(root) {
    this.root = root;
    this.film = root.film = new Film(this);
    this.rail = new Rail(root, { ask: (what) => this.ask(what), jump: (k) => this.film.jump(k) });
    for (const name of ["stage", "scrub", "flag", "done", "upcoming", "note-text", "note-button", "above", "below", "most"]) {
      this[name.replace(/-(.)/, (_, letter) => letter.toUpperCase())] = root.querySelector(`.${name}`);
    }
    this.card = new TokenCard(root.querySelector(".card-place"), {
      onPin: (token) => this.pick(token),
      onWatch: (symbol) => this.watchLineage(symbol),
    });
    this.announcer = root.querySelector("[role=status]");
    this.following = followWidth(root);
    this.narrowing = new ResizeObserver(() => root.classList.toggle("narrow", root.clientWidth < NARROW));
    this.narrowing.observe(root);
    this.listen();
  }

  listen() {
    this.root.addEventListener("click", (event) => this.clicked(event.target.closest?.("button")));
    this.scrub.addEventListener("input", () => this.scrubbed());
    this.scrub.addEventListener("change", () => this.film.scrubEnd());
    this.above.addEventListener("click", () => this.picture.scrollTo(this.hidden.previous));
    this.below.addEventListener("click", () => this.picture.scrollTo(this.hidden.next));
    document.addEventListener("keydown", this.pressed, { capture: true });
    document.addEventListener("visibilitychange", this.hide);
    document.addEventListener(NEWS, this.hear);
    this.motion = matchMedia("(prefers-reduced-motion: reduce)");
    this.motion.addEventListener("change", this.calm);
    this.calm();
  }

  destroy() {
    this.film.stopClock();
    clearTimeout(this.telling);
    cancelAnimationFrame(this.edgeFrame);
    cancelAnimationFrame(this.frame);
    document.removeEventListener("keydown", this.pressed, { capture: true });
    document.removeEventListener("visibilitychange", this.hide);
    document.removeEventListener(NEWS, this.hear);
    this.motion.removeEventListener("change", this.calm);
    this.following.disconnect();
    this.narrowing.disconnect();
    this.picture?.destroy();
  }

  calm = () => (this.film.calm = this.motion.matches);

  hide = () => document.hidden && this.film.playing && this.film.pause();

  // --- what the server says ---------------------------------------------------------

  update({ data, setStateValue, setTriggerValue }) {
    Object.assign(this, { setStateValue, setTriggerValue });
    applyTheme(this.root);
    matchCells(this.root);
    if (data.signature === this.signature) return;
    this.signature = data.signature;
    this.data = data;
    this.rail.showCounts(null, (side) => this.drawSide(side));
    this.whole = data.kind === "tiles" ? new TileScript(new TileModel(data.model)) : this.byteScript(data);
    this.play(this.whole, data.start);
    this.hear();
    if (data.watch !== null) this.watchLineage(data.watch);
  }

  byteScript({ model: payload, tied, times }) {
    const model = new TextModel(payload);
    if (times) model.labels = chunkLabels(model, unpack(times));
    return new ByteScript(model, unpack(tied));
  }

  // What the server counted last, if it is about this film.
  hear = () => {
    const news = globalThis[NEWS];
    if (!news || news.signature !== this.signature) return;
    this.counts = news.counts;
    this.rail.showCounts(this.counts, (side) => this.drawSide(side));
    this.news = news;
    if (this.lineage === null && news.flag !== this.film.flag) this.useFlag(news.flag);
    this.drawFlag();
    this.follow();
  };

  useFlag(flag) {
    this.film.setFlag(flag);
    if (!this.film.playing) this.note("");
  }

  drawSide(side) {
    return this.data.kind === "tiles" ? drawSymbols(side) : this.whole.drawPart(side);
  }

  // --- which film -------------------------------------------------------------------

  play(script, k) {
    this.script = script;
    this.lineage = script === this.whole ? null : script.symbol;
    this.usePicture(this.data.kind);
    this.picture.pin?.(null);
    this.picture.setModel(script.model);
    this.pinned = null;
    this.cardByte = -1; // the card's place belonged to the text before
    this.root.classList.toggle("tiles", this.data.kind === "tiles");
    this.root.classList.toggle("lineage", this.lineage !== null);
    this.root.classList.toggle("nothing", script.numMerges === 0);
    for (const control of this.root.querySelectorAll(".buttons button, .scrub")) control.disabled = script.numMerges === 0;
    this.most.textContent = script.numMerges.toLocaleString("en");
    this.film.load(script, k, this.lineage === null ? (this.news?.flag ?? -1) : -1);
    this.showCard(this.firstToken());
    this.drawSpeed();
    this.drawFlag();
  }

  // What the card begins with: the token whose merges are played, or the first learned one.
  firstToken() {
    const { script, film, lineage } = this;
    if (this.data.kind === "tiles") return null;
    const [gap] = lineage === null ? [] : script.gapsOf(script.numMerges - 1);
    return gap === undefined ? script.model.firstLearnedToken(film.k) : script.model.tokenAt(gap, film.k);
  }

  usePicture(kind) {
    if (this.picture && this.pictureKind === kind) return;
    this.picture?.destroy();
    this.pictureKind = kind;
    this.picture = kind === "tiles" ? new TileText(this.stage) : this.textPicture();
    this.picture.box.addEventListener("scroll", () => this.drawEdgesSoon());
  }

  textPicture() {
    return new TokenText(this.stage, {
      label: "The text in tokens",
      onHover: (token) => !this.pinned && this.showCard(token),
      onPick: (token) => this.pick(token),
    });
  }

  watchLineage(symbol) {
    if (symbol < 256 || symbol >= 256 + this.whole.numMerges) return;
    this.backTo = this.lineage === null ? this.film.k : this.backTo;
    this.play(new LineageScript(this.whole, symbol), 0);
    this.root.querySelector("[data-do=play]").focus({ preventScroll: true });
  }

  leaveLineage() {
    this.play(this.whole, this.backTo);
    this.tell();
  }

  // --- what Film asks for -------------------------------------------------------------

  show(k, { close = 0, jump = false }) {
    const fade = jump && !this.film.calm && k !== this.picture.k;
    this.picture.show(k, { close });
    if (fade) this.picture.box.animate([{ opacity: 0.3 }, { opacity: 1 }], { duration: JUMP_FADE });
  }

  ring(rank, state = "next", fade = 0) {
    this.ringed = rank;
    this.root.style.setProperty(state === "next" ? "--ring-in" : "--ring-out", `${fade}ms`);
    this.picture.ring(rank < 0 ? [] : this.script.gapsOf(rank), state);
    this.drawEdgesSoon();
  }

  figures() {
    const { film, script } = this;
    this.scrub.value = this.positionOf(film.k);
    this.scrub.setAttribute("aria-valuetext", `after ${merges(film.k)}`);
    this.drawDone();
    this.drawUpcoming();
    this.drawPlay();
    this.follow();
    this.showRecent();
    if (!film.playing && this.pictureKind === "bytes") this.refreshCard();
  }

  showRecent() {
    const { film, script } = this;
    const now = performance.now();
    if (film.playing && film.speed > STEADY && now - this.recentAt < RECENT_EVERY) return;
    this.recentAt = now;
    this.rail.showRecent(script, film.k);
  }

  follow() {
    this.drawVocabularyLink();
    this.rail.follow(this.lineage === null ? this.film.k : -1, this.film.playing);
  }

  // The next merge; the vocabulary has the ranks below the reader's size.
  drawVocabularyLink() {
    const { k, flag } = this.film;
    const button = this.root.querySelector("[data-ask=vocabulary]");
    button.hidden = this.lineage !== null || k >= this.script.numMerges;
    button.disabled = k >= flag;
    const rank = k.toLocaleString("en");
    button.textContent = k >= flag ? `Next, rank ${rank}: not in your vocabulary at this size` : `See rank ${rank} in the vocabulary`;
  }

  note(text) {
    const [words, label, action] = text ? [text] : this.restingNote();
    this.noteText.textContent = words;
    this.noteButton.hidden = !action;
    this.noteButton.textContent = label ?? "";
    this.noteAction = action;
  }

  // Where the film stands: sent when the reader's hand rests.
  tell() {
    if (this.lineage === null) {
      clearTimeout(this.telling);
      this.untold = { signature: this.signature, k: this.film.k };
      this.telling = setTimeout(() => this.tellNow(), TELL_AFTER);
    }
    this.announce();
  }

  tellNow() {
    clearTimeout(this.telling);
    if (this.untold) this.setStateValue("at", this.untold);
    this.untold = null;
  }

  announce() {
    const { film, script } = this;
    if (!film.k) return void (this.announcer.textContent = "before any merge");
    const { joined } = script.factsOf(film.k - 1);
    const times = `${joined.toLocaleString("en")} ${joined === 1 ? "time" : "times"}`;
    this.announcer.textContent = `after ${merges(film.k)}; ${script.nameOf(film.k - 1)} joined ${times}`;
  }

  // --- words and figures --------------------------------------------------------------

  restingNote() {
    const { film, script, lineage } = this;
    if (lineage !== null) {
      return [`Only the ${script.numMerges} merges of this token, no others.`, "Back to all merges", () => this.leaveLineage()];
    }
    if (film.playing) return [""];
    if (!script.numMerges) return [`Nothing to watch: no pair of ${this.unit()} occurs twice. Try a longer text.`];
    if (!script.here.length) return ["No merge at all occurs in this excerpt. Choose another one."];
    if (film.k < script.numMerges && !script.gapsOf(film.k).length) {
      const next = script.nextHere(film.k);
      const other = next < script.numMerges ? next : script.previousHere(film.k);
      return ["This merge does not occur in this excerpt.", "Go to one that does", () => film.jump(other)];
    }
    return [film.k === film.flag && film.k > 0 ? "This is your vocabulary." : ""];
  }

  drawDone() {
    const { film, script } = this;
    if (this.lineage !== null) {
      this.done.replaceChildren(strong(film.k), ` of the ${script.numMerges} merges that built this token are made.`);
      return;
    }
    const made = ["After ", strong(film.k), film.k === 1 ? " merge: " : " merges: "];
    const words = [strong(script.totalAt(film.k)), " tokens, ", strong(ratio(script.measureAt(film.k), 3))];
    this.done.replaceChildren(...made, ...words, ` ${this.unit()} per token of ${script.measuredOn ?? "the text"}.`);
  }

  unit() {
    return this.data.kind === "tiles" ? this.data.model.unit : "bytes";
  }

  drawUpcoming() {
    const { film, script } = this;
    if (film.k >= script.numMerges) {
      this.upcoming.textContent = script.numMerges ? "That was the last merge." : "";
      return;
    }
    const facts = script.factsOf(film.k);
    const tiles = element("span", "pair");
    tiles.append(script.drawLeft(film.k), " + ", script.drawRight(film.k), " → ", script.drawJoined(film.k));
    const [left, right, made] = facts.ids;
    this.upcoming.replaceChildren(
      "Next, rank ",
      strong(facts.rank),
      ": ",
      tiles,
      element("span", "ids", ` ids ${left} + ${right} → ${made}`),
      " ",
      ...this.countWords(facts),
      ...this.changeWords(facts),
    );
  }

  changeWords({ tokensBefore, tokensAfter }) {
    const tokens = `${tokensBefore.toLocaleString("en")} → ${tokensAfter.toLocaleString("en")}`;
    if (this.lineage !== null) return [` With all merges before it, tokens ${tokens}.`];
    const unit = this.unit();
    const ratios = strong(`${ratio(this.measure(tokensBefore), 3)} → ${ratio(this.measure(tokensAfter), 3)}`);
    return [element("span", "tokens-change", ` Tokens ${tokens}.`), ` ${unit[0].toUpperCase()}${unit.slice(1)} per token `, ratios, "."];
  }

  measure(tokens) {
    return tokens ? (this.script.measureAt(0) * this.script.totalAt(0)) / tokens : null;
  }

  countWords({ counted, joined }) {
    const numbers = [strong(counted), ", will join ", strong(joined)];
    if (counted === joined) return ["Counted ", ...numbers, "."];
    const left = this.script.leftText(this.film.k);
    const run = left.length > 12 ? "a run of equal tokens" : left.repeat(3);
    return ["Counted ", ...numbers, `: in ${run} the two pairs overlap.`];
  }

  // --- transport ----------------------------------------------------------------------

  clicked(button) {
    if (!button) return;
    if (button.dataset.speed) this.setSpeed(Number(button.dataset.speed));
    else if (button.dataset.ask) this.ask(button.dataset.ask);
    else if (button === this.noteButton) this.noteAction?.();
    else if (button.dataset.do) this.act(button.dataset.do);
  }

  act(what) {
    const { film, script } = this;
    const acts = {
      first: () => film.jump(0),
      last: () => film.jump(script.numMerges),
      back: () => film.step(-1),
      next: () => film.step(1),
      play: () => film.toggle(),
      slower: () => this.setSpeed(film.speed - 1),
      faster: () => this.setSpeed(film.speed + 1),
    };
    acts[what]();
    this.drawPlay();
  }

  setSpeed(speed) {
    this.film.setSpeed(speed);
    this.drawSpeed();
  }

  // Keys belong to the film unless the focus is on something that needs them itself.
  pressed = (event) => {
    const what = KEYS[event.key];
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing;
    if (!what || !plain || !this.mayTake(event)) return;
    event.preventDefault();
    event.stopPropagation();
    this.act(what);
  };

  mayTake({ key }) {
    const outer = document.activeElement;
    if (!outer || outer === document.body || outer.matches("a")) return true;
    const focused = this.root.getRootNode().activeElement;
    if (!focused || !this.root.contains(focused)) return false;
    if (focused.closest(".rows, .tree")) return this.pictureKind === "tiles" || !focused.matches(":focus-visible");
    return key !== " " || !focused.matches("button, summary") || focused.matches("[data-do=play]");
  }

  scrubbed() {
    this.wanted = this.mergesAt(Number(this.scrub.value));
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.film.scrub(this.wanted);
    });
  }

  // The scale of the size bar: early merges, which change most, have room.
  positionOf(k) {
    const { numMerges } = this.script;
    return numMerges ? (SCRUB_STEPS * Math.log1p(k / 8)) / Math.log1p(numMerges / 8) : 0;
  }

  mergesAt(position) {
    const { numMerges } = this.script;
    return Math.min(Math.round(8 * Math.expm1((position / SCRUB_STEPS) * Math.log1p(numMerges / 8))), numMerges);
  }

  drawFlag() {
    const { flag, script } = this.film;
    this.flag.hidden = !script || flag < 0 || this.lineage !== null || flag > script.numMerges;
    if (this.flag.hidden) return;
    this.flag.style.setProperty("--at", this.positionOf(flag) / SCRUB_STEPS);
    this.flag.querySelector(".flag-number").textContent = flag.toLocaleString("en");
    this.flag.title = `Your vocabulary size: after ${flag.toLocaleString("en")} merges`;
  }

  drawPlay() {
    const { playing } = this.film;
    const button = this.root.querySelector("[data-do=play]");
    if (button.classList.contains("playing") === playing && button.ariaLabel) return;
    button.classList.toggle("playing", playing);
    button.setAttribute("aria-label", playing ? "Pause" : "Play");
    button.querySelector(".play-word").textContent = playing ? "Pause" : "Play";
  }

  drawSpeed() {
    for (const button of this.root.querySelectorAll("[data-speed]")) {
      button.setAttribute("aria-pressed", Number(button.dataset.speed) === this.film.speed);
    }
  }

  // --- the picture ----------------------------------------------------------------------

  // What is in sight can only be asked after a layout, so it is asked once a frame.
  drawEdgesSoon() {
    this.edgeFrame ??= requestAnimationFrame(() => {
      this.edgeFrame = null;
      this.drawEdges();
    });
  }

  drawEdges() {
    const quick = this.film.playing && !this.film.calm && this.film.speed > STEADY;
    const gaps = this.ringed < 0 || quick ? [] : this.script.gapsOf(this.ringed);
    this.hidden = this.picture.outOfSight(gaps);
    const write = (button, count, arrow) => {
      button.hidden = count === 0;
      button.textContent = `${arrow} ${count.toLocaleString("en")}${arrow === "↓" ? " more" : ""}`;
      button.setAttribute("aria-label", `${count} more ${arrow === "↓" ? "below" : "above"}: go to the next`);
    };
    write(this.above, this.hidden.above, "↑");
    write(this.below, this.hidden.below, "↓");
  }

  showCard(token) {
    this.cardByte = token ? (token.at ?? token.start) : -1;
    this.card.show(this.script.model, token, this.film.k, { pinned: Boolean(this.pinned) });
  }

  refreshCard() {
    if (this.pinned) this.card.show(this.script.model, this.pinned, this.film.k, { pinned: true });
    else if (this.cardByte >= 0) this.showCard({ ...this.script.model.tokenAt(this.cardByte, this.film.k), at: this.cardByte });
  }

  pick(token) {
    const again = token && this.pinned && this.pinned.start === token.start && this.pinned.end === token.end;
    const shown = this.pinned ?? token;
    this.pinned = again ? null : token;
    this.picture.pin(this.pinned ? token.symbol : null, token?.start, token?.id);
    if (shown) this.showCard(this.pinned ?? { ...this.script.model.tokenAt(shown.start, this.film.k), at: shown.start });
    if (this.pinned) this.card.uncover(this.picture.tileAt(token.start));
  }

  ask(what) {
    if (this.film.playing) this.film.pause();
    this.tellNow(); // told after the question, it would rerun the page and close what the question had opened
    this.setTriggerValue("asked", { what, k: this.film.k });
  }
}

// "×412" behind each distinct chunk.
function chunkLabels({ gaps, wall, bytes }, times) {
  const labels = new Map();
  let chunk = 0;
  for (let gap = 0; gap < bytes.length; gap++) {
    if (gap === gaps.length || gaps[gap] === wall) labels.set(gap + 1, `×${times[chunk++].toLocaleString("en")}`);
  }
  return labels;
}

const merges = (k) => `${k.toLocaleString("en")} ${k === 1 ? "merge" : "merges"}`;
const strong = (value) => element("b", "", typeof value === "number" ? value.toLocaleString("en") : value);

const players = new WeakMap();

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  if (!players.has(parentElement)) players.set(parentElement, new MergePlayer(parentElement.querySelector(".film")));
  players.get(parentElement).update({ data, setStateValue, setTriggerValue });
  return () => {
    players.get(parentElement)?.destroy();
    players.delete(parentElement);
  };
}
