// The lanes: one size bar, one sentence cut by several ways on one byte ruler, why they part, and the token card.
//
// The first lane is rank order; the browser knows it at every size. The other lanes come from the server for one size:
// while the bar is elsewhere they keep their old cut, paled, with a "…" for their figures.

class LanesView {
  constructor(parent) {
    this.root = parent.appendChild(document.createElement("div"));
    this.root.className = "tokens text-view lanes-view";
    this.root.innerHTML = `
      <div class="bar-place"></div>
      <div class="figures" aria-live="off"><span>size <b class="size"></b> <span class="parts"></span></span><span><b class="measure"></b> bytes per token</span><span class="of-corpus"></span></div>
      <div class="lanes" role="group" aria-label="The sentence, cut in several ways">
        <div class="lane ruler-row" aria-hidden="true"><div class="lane-head">byte</div><div class="lane-text ruler"></div><div class="lane-figures"></div></div>
      </div>
      <div class="why-place"></div>
      <div class="card-place"></div>`;
    this.k = 0;
    this.talk = new SizeTalk({ tell: (choice) => this.setStateValue("chosen", choice), onOutside: (size) => this.hearSize(size) });
    this.lanes = [];
    this.pinned = null;
    this.bar = new SizeBar(this.place("bar"), { onInput: (k) => this.moved(k), onCommit: (k) => this.commit(k) });
    this.card = new TokenCard(this.place("card"), { onPin: (token) => this.pick(this.cardLane, token) });
    this.following = followWidth(this.root);
  }

  place(name) {
    return this.root.querySelector(`.${name}-place`);
  }

  destroy() {
    cancelAnimationFrame(this.frame);
    this.following.disconnect();
    for (const lane of this.lanes) lane.destroy();
    this.root.remove();
  }

  // --- what the server says ---------------------------------------------------------

  update({ data, setStateValue, setTriggerValue }) {
    Object.assign(this, { data, setStateValue, setTriggerValue });
    applyTheme(this.root);
    matchCells(this.root);
    const newModel = data.model.signature !== this.signature;
    this.matchLanes(data.lanes.length);
    if (newModel) this.useModel(data);
    else this.talk.hear(data);
    if (newModel || data.cut_signature !== this.cutSignature) this.useCuts(data);
    drawWhy(this.place("why"), data, { onWatch: (lane) => this.setTriggerValue("watch", { lane }), onFind: () => this.setTriggerValue("find", true) });
    this.showFigures();
  }

  useModel(data) {
    this.signature = data.model.signature;
    this.model = new TextModel(data.model);
    this.model.labels = new Map(); // a line feed is drawn as a mark and ends no row: every lane is one line
    this.talk.begin(data);
    this.k = this.mergesOf(data.size);
    this.root.classList.toggle("no-sizes", Boolean(this.model.given));
    this.bar.setModel(this.model, { wantedMerges: data.wanted_merges, stopSentence: data.stop_sentence });
    this.bar.set(this.k);
  }

  mergesOf(size) {
    return Math.min(Math.max(size - this.model.firstId, 0), this.model.numMerges);
  }

  // A change from outside moves the bar, unless a hand is on it.
  hearSize(size) {
    if (!this.bar.dragging) this.showSize(this.mergesOf(size));
  }

  useCuts(data) {
    this.cutSignature = data.cut_signature;
    const seen = this.lanes[0]?.model?.payload.text[1] === this.model.payload.text[1] ? this.inCard() : null;
    const rank = this.mergesOf(data.size);
    const shared = (start, end) => {
      const token = this.model.tokenAt(start, rank);
      return token.start === start && token.end === end;
    };
    data.lanes.forEach((described, i) => {
      const model = described.cut ? this.model.withCut(described.cut) : this.model;
      this.lanes[i].setCut(described, model, i ? 0 : this.k, i ? shared : null, data.cut_short);
    });
    this.pinned = null;
    this.showAgain(seen);
  }

  // What the card shows: the number of the lane, the byte, and the token if it is pinned.
  inCard() {
    return this.cardByte === undefined ? null : { lane: this.lanes.indexOf(this.cardLane), byte: this.cardByte, pinned: this.pinned };
  }

  // After another cut of the same sentence the card stays at its place, and a token stays pinned if it is still there.
  showAgain(seen) {
    const lane = this.lanes[seen?.lane];
    if (!lane || lane.text.box.hidden) return this.showCard(this.lanes[0], this.model.firstLearnedToken(this.k));
    const token = lane.model.tokenAt(seen.byte, lane === this.lanes[0] ? this.k : 0);
    const { pinned } = seen;
    if (pinned && pinned.start === token.start && pinned.end === token.end) this.pick(lane, token);
    else this.showCard(lane, { ...token, at: seen.byte });
  }

  // As many lanes as the server speaks of, before anything is written into them.
  matchLanes(number) {
    while (this.lanes.length > number) this.lanes.pop().destroy();
    while (this.lanes.length < number) this.lanes.push(this.newLane());
  }

  newLane() {
    const first = this.lanes.length === 0;
    return new Lane(this.root.querySelector(".lanes"), {
      onHover: (lane, token) => this.pinned === null && this.showCard(lane, token),
      onPick: (lane, token) => this.pick(lane, token),
      onLayout: () => first && this.lanes[0] && drawRuler(this.root.querySelector(".ruler"), this.lanes[0].text),
    });
  }

  // --- size -------------------------------------------------------------------------

  // Many moves may come between two frames; each frame paints once.
  moved(k) {
    this.wantedK = k;
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.showSize(this.wantedK);
    });
  }

  showSize(k) {
    this.k = k;
    if (this.bar.k !== k) this.bar.set(k);
    this.lanes[0]?.text.show(k);
    this.showFigures();
    if (this.cardLane === this.lanes[0] && this.cardByte !== undefined && !this.pinned) {
      this.showCard(this.cardLane, { ...this.model.tokenAt(this.cardByte, k), at: this.cardByte });
    }
  }

  commit(k) {
    if (this.frame) cancelAnimationFrame(this.frame);
    this.frame = null;
    if (k !== this.k) this.showSize(k);
    this.talk.choose(this.model.firstId + k);
  }

  showFigures() {
    const write = (name, text) => (this.root.querySelector(`.figures .${name}`).textContent = text);
    const measure = this.model.bytesPerToken(this.k);
    write("size", (this.model.firstId + this.k).toLocaleString("en"));
    write("parts", sizeInParts(this.model.firstId - 256, this.k));
    write("measure", ratio(measure));
    write("of-corpus", `${this.model.totalAt(this.k).toLocaleString("en")} tokens in all`);
    const here = this.model.given || this.k === this.mergesOf(this.data.size);
    const [first, ...others] = this.data.lanes;
    const rank = here ? first.tokens : this.data.cut_short ? null : this.model.numTokens(this.k);
    this.lanes[0].write(rank, null, 0);
    others.forEach(({ tokens, parts, problem }, i) => {
      this.lanes[i + 1].wait(!here && !problem);
      if (here || problem) this.lanes[i + 1].write(problem ? null : tokens, problem ? null : tokens - first.tokens, parts);
    });
    this.place("why").classList.toggle("waiting", !here);
  }

  // --- the card -------------------------------------------------------------------------

  showCard(lane, token) {
    this.cardLane = lane;
    this.cardByte = token ? (token.at ?? token.start) : undefined;
    this.card.show(lane.model, token, lane === this.lanes[0] ? this.k : 0, { pinned: this.pinned !== null });
  }

  // A pinned token is outlined wherever a lane has it.
  pick(lane, token) {
    const same = token && this.pinned && this.pinned.lane === lane && this.pinned.start === token.start && this.pinned.end === token.end;
    this.pinned = !token || same ? null : { ...token, lane };
    for (const each of this.lanes) {
      const here = this.pinned && each === lane ? token.start : -1;
      each.text.pin(this.pinned ? token.symbol : null, here, token?.id);
    }
    this.showCard(lane, token ?? this.card.token);
    if (this.pinned) this.card.uncover(lane.text.tileAt(token.start));
  }
}

const lanesViews = new WeakMap();

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  if (!lanesViews.has(parentElement)) lanesViews.set(parentElement, new LanesView(parentElement));
  lanesViews.get(parentElement).update({ data, setStateValue, setTriggerValue });
  return () => {
    lanesViews.get(parentElement)?.destroy();
    lanesViews.delete(parentElement);
  };
}
