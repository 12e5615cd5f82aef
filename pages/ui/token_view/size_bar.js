// The size bar: a slider whose track is the curve of bytes per token.
//
//   const bar = new SizeBar(container, { onInput(k), onCommit(k) })   onInput at once, onCommit on release
//   bar.setModel(model, { wantedMerges, stopSentence })   what was wanted but not learned is hatched
//   bar.set(k)    moves the handle, calls nothing      bar.k    merges      bar.dragging    a hand is on it
//
// Scale: x(k) = ln(1 + k/8) / ln(1 + n/8), so the first hundred merges, which change most, have room. n is what was
// wanted; if training stopped so early that what it learned would be a sliver, the rest is pressed into MOST_NOT_REACHED.

const CURVE_POINTS = 320;
const HEADROOM = 1.25; // above the highest point of the curve, for the knob
const MOST_NOT_REACHED = 0.4; // of the width
const NEAR_FIRST = 0.18; // of the width: on a phone a label here would touch "0 merges"

const unit = () => Object.assign(document.createElement("span"), { className: "unit", textContent: " merges" });

class SizeBar {
  constructor(container, { onInput, onCommit }) {
    Object.assign(this, { onInput, onCommit, k: 0, dragging: false });
    this.root = container.appendChild(document.createElement("div"));
    this.root.className = "size-bar";
    this.root.innerHTML = `
      <div class="track-name"></div>
      <div class="track" role="slider" tabindex="0" aria-label="Vocabulary size" aria-orientation="horizontal">
        <svg viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true">
          <path class="area"></path><path class="curve"></path>
        </svg>
        <div class="reached"><svg viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true"><path class="area"></path></svg></div>
        <div class="not-reached"><span></span></div>
        <div class="handle"><i></i></div>
      </div>
      <div class="ticks" aria-hidden="true"></div>`;
    this.track = this.root.querySelector(".track");
    this.listen();
  }

  setModel(model, { wantedMerges, stopSentence }) {
    this.model = model;
    this.most = model.numMerges;
    this.wanted = Math.max(wantedMerges, this.most, 1);
    this.share = this.shareLearned();
    this.highest = Math.max(model.bytesPerToken(this.most) ?? 1, 1) * HEADROOM;
    this.root.querySelector(".track-name").textContent = `bytes per token${model.corpusName ? `, ${model.corpusName}` : ""}`;
    this.drawCurve();
    this.drawNotReached(stopSentence);
    this.drawTicks();
    this.track.setAttribute("aria-valuemin", model.firstId);
    this.track.setAttribute("aria-valuemax", model.firstId + this.most);
    this.track.setAttribute("aria-disabled", this.most === 0);
    this.set(Math.min(this.k, this.most));
  }

  // The part of the width that the learned merges take; none if nothing was learned.
  shareLearned() {
    return this.most && Math.max(Math.log1p(this.most / 8) / Math.log1p(this.wanted / 8), 1 - MOST_NOT_REACHED);
  }

  positionOf(k) {
    const [x, learned, wanted] = [k, this.most, this.wanted].map((merges) => Math.log1p(merges / 8));
    if (k <= this.most) return learned && (x / learned) * this.share;
    return this.share + ((x - learned) / (wanted - learned)) * (1 - this.share);
  }

  mergesAt(position) {
    if (!this.most) return 0;
    const k = Math.round(8 * Math.expm1((Math.max(0, position) / this.share) * Math.log1p(this.most / 8)));
    return Math.min(k, this.most);
  }

  heightOf(k) {
    return (this.model.bytesPerToken(k) ?? 0) / this.highest;
  }

  // --- drawing ------------------------------------------------------------------

  drawCurve() {
    const points = [];
    let last = -1;
    for (let i = 0; i <= CURVE_POINTS; i++) {
      const k = this.mergesAt((i / CURVE_POINTS) * this.share);
      if (k === last) continue;
      last = k;
      points.push(`${(this.positionOf(k) * 1000).toFixed(2)} ${(100 - this.heightOf(k) * 100).toFixed(2)}`);
    }
    const end = this.share * 1000;
    const line = `M${points.join("L")}`;
    for (const area of this.root.querySelectorAll(".area")) area.setAttribute("d", `${line}L${end} 100L0 100Z`);
    this.root.querySelector(".curve").setAttribute("d", line);
  }

  drawNotReached(stopSentence) {
    const from = this.share;
    const part = this.root.querySelector(".not-reached");
    part.hidden = from >= 1;
    part.style.left = `${from * 100}%`;
    part.title = `Not reached: training stopped at ${this.most.toLocaleString("en")} merges. ${stopSentence}`;
    part.firstElementChild.textContent = "not reached";
    part.classList.toggle("narrow", 1 - from < 0.1);
  }

  // Labels at 0, 10, 100, …; marks at 1, 2, 5 of each.
  drawTicks() {
    const ticks = this.root.querySelector(".ticks");
    ticks.replaceChildren();
    for (const k of this.ticks()) {
      const tick = ticks.appendChild(document.createElement("span"));
      tick.style.left = `${this.positionOf(k) * 100}%`;
      const major = k === 0 || (Math.log10(k) % 1 === 0 && k > 1);
      if (major) tick.textContent = k.toLocaleString("en");
      if (k === 0) tick.appendChild(unit());
      tick.className = k === 0 ? "first" : major ? "major" : "";
      tick.classList.toggle("near", k > 0 && this.positionOf(k) < NEAR_FIRST);
    }
  }

  ticks() {
    const ticks = [0];
    for (let ten = 1; ten <= this.wanted; ten *= 10) for (const step of [1, 2, 5]) if (ten * step <= this.wanted) ticks.push(ten * step);
    return ticks;
  }

  set(k) {
    this.k = k;
    const position = this.positionOf(k);
    this.root.style.setProperty("--at", `${position * 100}%`);
    this.root.style.setProperty("--up", `${this.heightOf(k) * 100}%`);
    const size = (this.model.firstId + k).toLocaleString("en");
    const measure = this.model.bytesPerToken(k);
    this.track.setAttribute("aria-valuenow", this.model.firstId + k);
    this.track.setAttribute(
      "aria-valuetext",
      `size ${size}, ${counted(k, "merge")}${measure === null ? "" : `, ${ratio(measure)} bytes per token`}`,
    );
  }

  // --- hand and keys --------------------------------------------------------------

  listen() {
    const on = (type, handler) => this.track.addEventListener(type, handler);
    on("pointerdown", (event) => this.grabbed(event));
    on("pointermove", (event) => this.dragging && this.input(this.mergesUnder(event)));
    on("pointerup", () => this.released());
    on("pointercancel", () => this.released());
    on("lostpointercapture", () => this.released());
    on("keydown", (event) => this.pressed(event));
    on("keyup", () => this.commitSoon(0));
    on("blur", () => this.commitSoon(0));
  }

  mergesUnder(event) {
    const { left, width } = this.track.getBoundingClientRect();
    return this.mergesAt((event.clientX - left) / width);
  }

  grabbed(event) {
    if (event.button > 0 || !this.most) return;
    this.track.setPointerCapture(event.pointerId);
    this.dragging = true;
    this.track.focus({ preventScroll: true });
    this.input(this.mergesUnder(event));
    event.preventDefault();
  }

  released() {
    if (!this.dragging) return;
    this.dragging = false;
    this.onCommit(this.k);
  }

  input(k) {
    if (k === this.k) return;
    this.set(k);
    this.onInput(k);
  }

  pressed(event) {
    const ticks = [...this.ticks().filter((tick) => tick < this.most), this.most];
    const target = {
      ArrowLeft: () => this.k - 1,
      ArrowDown: () => this.k - 1,
      ArrowRight: () => this.k + 1,
      ArrowUp: () => this.k + 1,
      PageUp: () => ticks.find((tick) => tick > this.k) ?? this.most,
      PageDown: () => ticks.findLast((tick) => tick < this.k) ?? 0,
      Home: () => 0,
      End: () => this.most,
    }[event.key]?.();
    if (target === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.input(Math.min(Math.max(target, 0), this.most));
    this.waiting = true;
    this.commitSoon(600);
  }

  // A held key is one change: the app hears of it when the key is let go.
  commitSoon(delay) {
    if (!this.waiting) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.waiting = false;
      this.onCommit(this.k);
    }, delay);
  }
}
