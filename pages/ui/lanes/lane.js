// One lane: the name of a way to cut, the sentence as it cuts it on one line, and its figures.
//
//   const lane = new Lane(container, { onHover, onPick, onLayout })     onHover and onPick as in tokens.js, with the lane
//   lane.setCut(described, model, k, shared, openEnd)   described = { name, order, help, problem } of the server;
//                                     shared(start, end): does rank order make that token too? null for rank order itself
//   lane.write(tokens, change, parts) the figures; null where a figure is not known yet
//   lane.wait(waiting)                a "…" in place of the figures while the server works
//   lane.text                         its TokenText

class LaneText extends TokenText {
  layout() {
    super.layout();
    this.options.onLayout?.();
  }
}

class Lane {
  constructor(container, { onHover, onPick, onLayout }) {
    this.root = container.appendChild(document.createElement("div"));
    this.root.className = "lane";
    this.root.innerHTML = `
      <div class="lane-head"><span class="lane-name"></span></div>
      <div class="lane-text"></div>
      <div class="lane-figures"><span class="tokens-now"></span><span class="against"></span></div>`;
    this.text = new LaneText(this.root.querySelector(".lane-text"), {
      wrap: false,
      onHover: (token) => onHover(this, token),
      onPick: (token) => onPick(this, token),
      classOf: (token) => this.classOf(token),
      onLayout,
    });
  }

  destroy() {
    this.text.destroy();
    this.root.remove();
  }

  setCut({ name, help, problem }, model, k, shared, openEnd) {
    Object.assign(this, { model, shared, openEnd });
    const head = this.root.querySelector(".lane-name");
    head.textContent = name;
    head.title = help;
    this.root.classList.toggle("cannot", Boolean(problem));
    this.text.box.hidden = Boolean(problem);
    this.text.box.setAttribute("aria-label", `The sentence, cut by ${name}`);
    this.root.querySelector(".problem")?.remove();
    if (problem) {
      const why = this.root.querySelector(".lane-text").appendChild(document.createElement("p"));
      why.className = "problem";
      why.textContent = problem;
    } else {
      this.text.setModel(model);
      this.text.show(k);
    }
  }

  // Outlined: a token that rank order does not make. Only underlined: one that it makes too.
  classOf({ start, end }) {
    const open = this.openEnd && end === this.model.bytes.length ? " goes-on" : "";
    return this.shared ? (this.shared(start, end) ? "agrees" : "part") + open : open.trim();
  }

  write(tokens, change, parts) {
    this.root.querySelector(".tokens-now").textContent = tokens === null ? "" : `${tokens.toLocaleString("en")} token${tokens === 1 ? "" : "s"}`;
    this.root.querySelector(".against").textContent = change === null ? "" : `${changeInWords(change)} · ${parts.toLocaleString("en")} differ`;
  }

  wait(waiting) {
    this.root.classList.toggle("waiting", waiting);
    if (!waiting) return;
    this.root.querySelector(".tokens-now").textContent = "…";
    this.root.querySelector(".against").textContent = "";
  }
}

const changeInWords = (change) =>
  change === 0 ? "as many" : `${Math.abs(change).toLocaleString("en")} ${change > 0 ? "more" : "fewer"}`;

// The byte ruler: a number at every tenth byte, above the place where that byte stands in all lanes.
function drawRuler(ruler, text) {
  ruler.replaceChildren();
  const { left } = text.layoutRows ?? { left: [] };
  for (let byte = 0; byte < left.length; byte += 5) {
    const tick = ruler.appendChild(document.createElement("span"));
    tick.style.left = `${left[byte] + ROW_MARGIN}px`;
    if (byte % 10 === 0) tick.textContent = byte.toLocaleString("en");
  }
}
