// Film: the playhead. It knows time, merges and speeds, and nothing of the page.
//
//   k            merges made so far; merge number k is the next one
//   script       what is played: { numMerges, nextHere(k): first merge from k on that occurs in the picture, or numMerges }
//   screen       what it moves:  { show(k, { close }), ring(rank, state, fade), figures(), noteOf(note), tell() }
//   flag         the number of merges at the reader's vocabulary size; play pauses there once (-1: nowhere)
//
// Two beats: the pair that will join is ringed, then its cut closes. From "fast" on nothing blinks.

const SPEEDS = [
  { name: "slow", perSecond: 1, ring: 600, fade: 150, close: 250 },
  { name: "steady", perSecond: 3, ring: 180, fade: 60, close: 120 },
  { name: "fast", perSecond: 12, ring: 0, fade: 0, close: 0 },
  { name: "blur", perSecond: 60, ring: 0, fade: 0, close: 0 },
];
const STEADY = 1;
const FIGURES_EVERY = 100; // ms, at blur
const KEPT_TIMES = 2000;
const MOST_PER_FRAME = 30; // a slow browser catches up this far in one frame, then falls behind

class Film {
  constructor(screen) {
    this.screen = screen;
    this.speed = STEADY;
    this.calm = false; // prefers-reduced-motion
    this.k = 0;
    this.flag = -1;
    this.flagSeen = false;
    this.playing = false;
    this.passed = 0;
    this.times = [];
    this.numTimes = 0;
  }

  load(script, k, flag) {
    this.stopClock();
    this.playing = false;
    this.script = script;
    this.passed = 0;
    this.setFlag(flag);
    this.k = Math.min(Math.max(k, 0), script.numMerges);
    this.screen.show(this.k, {});
    this.rest();
  }

  setFlag(flag) {
    if (flag !== this.flag) this.flagSeen = false;
    this.flag = flag;
  }

  setSpeed(speed) {
    this.speed = Math.min(Math.max(speed, 0), SPEEDS.length - 1);
    if (this.playing) {
      this.stopClock();
      this.run();
    }
  }

  // --- the reader's hand ----------------------------------------------------------

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (!this.script.numMerges) return;
    this.stopClock();
    if (this.k >= this.script.numMerges) this.moveTo(0);
    if (this.k === this.flag) this.flagSeen = true;
    this.playing = true;
    this.passed = 0;
    this.screen.note("");
    this.run();
  }

  pause(note = "") {
    this.stopClock();
    this.playing = false;
    this.screen.show(this.k, {});
    this.rest(note);
    this.screen.tell();
  }

  step(by) {
    const to = this.k + by;
    if (to < 0 || to > this.script.numMerges) return;
    this.stopClock();
    this.playing = false;
    const close = this.calm ? 0 : SPEEDS[Math.min(this.speed, STEADY)].close;
    this.k = to;
    if (by > 0) {
      this.screen.show(to, { close });
      this.screen.ring(to - 1, "joined", close);
      this.later(close, () => this.rest());
    } else {
      this.screen.ring(-1);
      this.screen.show(to, { close });
      this.rest("", close);
    }
    this.screen.figures();
    this.screen.tell();
  }

  jump(k) {
    this.stopClock();
    this.playing = false;
    this.moveTo(k);
    this.rest();
    this.screen.tell();
  }

  scrub(k) {
    this.stopClock();
    this.playing = false;
    this.k = k;
    this.screen.ring(-1);
    this.screen.show(k, {});
    this.screen.note("");
    this.screen.figures();
  }

  scrubEnd() {
    this.rest();
    this.screen.tell();
  }

  // --- the clock --------------------------------------------------------------------

  later(ms, action) {
    this.timer = setTimeout(() => this.timed(action), ms);
  }

  nextFrame() {
    this.frame = requestAnimationFrame((now) => this.timed(() => this.flow(now)));
  }

  // Keeps how long the script took for each of the last merges, for whoever measures.
  timed(action) {
    const before = this.k;
    const started = performance.now();
    action();
    if (this.k !== before) this.times[this.numTimes++ % KEPT_TIMES] = performance.now() - started;
  }

  stopClock() {
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frame);
  }

  run() {
    if (this.calm || SPEEDS[this.speed].ring) this.ringBeat();
    else {
      this.screen.ring(-1);
      this.lastFigures = 0;
      this.drawn = performance.now();
      this.nextFrame();
    }
  }

  ringBeat() {
    if (!this.goToNextHere()) return;
    const { ring, fade } = this.calm ? SPEEDS[0] : SPEEDS[this.speed];
    this.screen.ring(this.k, "next", this.calm ? 0 : fade);
    this.screen.figures();
    this.later(ring, () => this.closeBeat());
  }

  closeBeat() {
    const { perSecond, ring, close } = this.calm ? SPEEDS[0] : SPEEDS[this.speed];
    const rank = this.k;
    this.k += 1;
    this.screen.show(this.k, { close: this.calm ? 0 : close });
    this.screen.ring(rank, "joined", this.calm ? 0 : close);
    this.screen.figures();
    this.later(Math.max(1000 / perSecond - ring, close), () => {
      this.screen.ring(-1);
      this.ringBeat();
    });
  }

  // Fast and blur: as many merges as are due, one repaint.
  flow(now) {
    const { perSecond } = SPEEDS[this.speed];
    const due = Math.min(Math.floor(((now - this.drawn) * perSecond) / 1000 + 0.001), MOST_PER_FRAME);
    if (due > 0) {
      this.drawn = due < MOST_PER_FRAME ? this.drawn + (due * 1000) / perSecond : now;
      let left = due;
      while (left-- > 0 && this.goToNextHere()) this.k += 1;
      this.screen.show(this.k, {});
      if (!this.playing) return;
      if (now - this.lastFigures >= FIGURES_EVERY || perSecond <= 12) {
        this.screen.figures();
        this.lastFigures = now;
      }
    }
    this.nextFrame();
  }

  // Passes over merges that the picture does not hold; false if the film stops here: at the flag or at the end.
  goToNextHere() {
    const { script, k, flag } = this;
    const here = script.nextHere(k);
    if (!this.flagSeen && k <= flag && here >= flag && flag < script.numMerges) {
      this.flagSeen = true;
      this.arriveAt(flag);
      this.pause();
      return false;
    }
    this.arriveAt(here);
    if (here < script.numMerges) return true;
    this.pause(this.passed ? this.passedNote() : "");
    return false;
  }

  arriveAt(k) {
    this.passed += k - this.k;
    if (k > this.k) {
      this.k = k;
      this.screen.show(k, {});
      this.screen.note(this.passedNote());
    }
  }

  passedNote() {
    return this.passed ? `Passed ${this.passed.toLocaleString("en")} that do not occur here.` : "";
  }

  moveTo(k) {
    this.k = Math.min(Math.max(k, 0), this.script.numMerges);
    this.screen.ring(-1);
    this.screen.show(this.k, { jump: true });
  }

  // The picture at rest: the next pair is ringed.
  rest(note = "", fade = 0) {
    this.screen.ring(this.k < this.script.numMerges ? this.k : -1, "next", fade);
    this.screen.note(note);
    this.screen.figures();
  }
}
