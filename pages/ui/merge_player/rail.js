// The rail beside the film: the most frequent pairs where the film stands, the tie if there is one, the last merges.
//
//   const rail = new Rail(root, { ask(what), jump(k) })
//   rail.showCounts(counts)   the pairs counted by the server: { k, pairs, tied, num_tied, rule }; null: not known yet
//   rail.follow(k, playing)   greys the bars while they belong to another k
//   rail.showRecent(script, k)
// A pair is { left, right, count }; `drawSide(side)` makes an element of one of its sides.

const FEW_BARS = 5;
const RECENT = 5;
const TIED_SHOWN = 60;

class Rail {
  constructor(root, { ask, jump }) {
    Object.assign(this, { ask, jump });
    this.why = root.querySelector(".why");
    this.bars = root.querySelector(".bars");
    this.more = root.querySelector(".more");
    this.tie = root.querySelector(".tie");
    this.recent = root.querySelector(".recent");
    this.list = this.recent.querySelector("ol");
    this.showsTen = false;
    this.more.addEventListener("click", () => {
      this.showsTen = !this.showsTen;
      this.drawBars();
    });
  }

  // --- bars and tie -----------------------------------------------------------------

  showCounts(counts, drawSide) {
    Object.assign(this, { counts, drawSide });
    this.drawBars();
    this.drawTie();
  }

  follow(k, playing) {
    const stale = !this.counts || this.counts.k !== k;
    this.why.classList.toggle("stale", stale);
    const words = !stale ? "" : playing ? "counted when the film stands" : "counting…";
    this.why.querySelector("h2").dataset.note = words;
  }

  drawBars() {
    const { counts } = this;
    const pairs = counts ? counts.pairs.slice(0, this.showsTen ? 10 : FEW_BARS) : [];
    this.bars.replaceChildren(...pairs.map((pair, place) => this.drawBar(pair, place)));
    this.bars.setAttribute("role", "list");
    this.more.hidden = !counts || counts.pairs.length <= FEW_BARS;
    this.more.textContent = this.showsTen ? "Show five" : "Show ten";
    if (counts && !pairs.length) this.bars.textContent = "No pair is left.";
  }

  drawBar({ left, right, count }, place) {
    const { pairs, stops } = this.counts;
    const row = element("div", "bar-row");
    row.setAttribute("role", "listitem");
    const pair = row.appendChild(element("span", "pair"));
    pair.append(this.drawSide(left), this.drawSide(right));
    const bar = row.appendChild(element("span", "bar"));
    bar.appendChild(element("i")).style.width = `${(100 * count) / pairs[0].count}%`;
    row.appendChild(element("span", "number", count.toLocaleString("en")));
    const behind = pairs[0].count - count;
    const words = place === 0 ? (stops ? "too few" : "next") : behind ? `−${behind.toLocaleString("en")}` : "tie";
    row.appendChild(element("span", "margin", words));
    row.classList.toggle("winner", place === 0 && !stops);
    return row;
  }

  drawTie() {
    const { counts } = this;
    const open = this.tie.querySelector("details")?.open ?? false;
    this.tie.replaceChildren();
    if (!counts || !counts.pairs.length) return;
    const { stops, num_tied: tied, pairs, rule } = counts;
    if (stops) this.tie.appendChild(element("p", "", stops));
    else if (tied === 1) this.tie.appendChild(element("p", "", noTieSentence(pairs)));
    else this.tie.appendChild(this.drawTied(open));
    if (counts.what_if) this.tie.appendChild(this.whatIfButton());
  }

  drawTied(open) {
    const { num_tied: tied, pairs, rule, tied: list } = this.counts;
    const details = element("details");
    details.open = open;
    details.appendChild(element("summary", "", `Tie of ${tied.toLocaleString("en")}: why this one?`));
    const top = pairs[0].count.toLocaleString("en");
    const sentence = `${tied.toLocaleString("en")} pairs share the top count, ${top}. The rule “${rule}” chose this one.`;
    details.appendChild(element("p", "", sentence));
    const box = details.appendChild(element("div", "tied"));
    list.slice(0, TIED_SHOWN).forEach(([left, right]) => {
      const pair = box.appendChild(element("span", "pair"));
      pair.append(this.drawSide(left), this.drawSide(right));
      const wins = same(left, pairs[0].left) && same(right, pairs[0].right);
      pair.classList.toggle("winner", wins);
      if (wins) pair.title = "chosen";
    });
    const hidden = tied - Math.min(list.length, TIED_SHOWN);
    if (hidden) box.appendChild(element("span", "quiet", `and ${hidden.toLocaleString("en")} more`));
    return details;
  }

  whatIfButton() {
    const button = element("button", "link", "What if another rule chose?");
    button.type = "button";
    button.addEventListener("click", () => this.ask("what if"));
    return button;
  }

  // --- the last merges --------------------------------------------------------------

  showRecent(script, k) {
    const rows = [];
    for (let rank = k - 1; rank >= Math.max(0, k - RECENT); rank--) rows.push(this.drawRecent(script, rank));
    this.list.replaceChildren(...rows);
    if (!rows.length) this.list.appendChild(element("li", "quiet", "None yet."));
  }

  drawRecent(script, rank) {
    const facts = script.factsOf(rank);
    const row = element("li");
    const button = row.appendChild(element("button", "merge"));
    button.type = "button";
    button.setAttribute("aria-label", `Go to rank ${facts.rank}: ${script.nameOf(rank)}`);
    button.appendChild(element("span", "rank", `rank ${facts.rank.toLocaleString("en")}`));
    button.appendChild(element("span", "made")).appendChild(script.drawJoined(rank));
    button.appendChild(element("span", "number", facts.counted.toLocaleString("en")));
    button.addEventListener("click", () => this.jump(rank));
    return row;
  }
}

function noTieSentence(pairs) {
  if (pairs.length < 2) return "No tie: no other pair is left.";
  const ahead = pairs[0].count - pairs[1].count;
  return `No tie: ${ahead.toLocaleString("en")} more than the next.`;
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

function element(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}
