// Why the lanes part: a sentence for each lane, made on the server, with the way to watch it; or that all agree.
//
//   drawWhy(place, { why, all_agree, no_reason }, { onWatch(number of the reason), onFind() })
//   why = [{ name, order, at, sentence, quotes, watch }]; in a sentence with `quotes`, tokens stand between backticks

function drawWhy(place, { why, all_agree: allAgree, no_reason: noReason }, { onWatch, onFind }) {
  const key = JSON.stringify([why, allAgree, noReason]);
  if (place.key === key) return;
  place.key = key;
  place.replaceChildren();
  addTo(place, "div", "card-title", "Why they part");
  if (allAgree) {
    addTo(place, "p", "agree", "All ways agree here. ");
    place.lastChild.appendChild(smallButton("Find a word where they part", onFind));
  }
  why.forEach((reason, i) => place.appendChild(drawReason(reason, () => onWatch(i))));
  if (!why.length && !allAgree) addTo(place, "p", "quiet", noReason);
}

function drawReason({ name, order, at, sentence, quotes, watch }, onWatch) {
  const reason = document.createElement("div");
  reason.className = "reason";
  const head = addTo(reason, "div", "reason-head", "");
  addTo(head, "b", "", name).title = order;
  if (at) {
    addTo(head, "span", "", "parts first at ");
    addTo(head, "code", "", at);
  }
  const line = addTo(reason, "p", "", "");
  const parts = quotes ? sentence.split("`") : [sentence];
  parts.forEach((part, i) => addTo(line, i % 2 ? "code" : "span", "", part));
  if (watch) line.append(" ", smallButton("Watch BPE do it", onWatch));
  return reason;
}

function addTo(parent, tag, className, text) {
  const element = parent.appendChild(document.createElement(tag));
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}

function smallButton(label, action) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "small-button";
  button.textContent = label;
  button.addEventListener("click", action);
  return button;
}
