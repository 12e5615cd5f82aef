// The tree of merges that built a token, drawn as tiles: every part stands below the whole, over its own bytes.
//
//   drawTree(model, symbol) -> element    tree, a line about the node in focus, and the same tree as indented text
//   treeOf(model, symbol) -> [node]       in reading order; node = { symbol, start, end, depth, parts, parent }

const MOST_NODES = 600; // a token of more bytes than a screen is wide is no picture any more

function treeOf(model, symbol) {
  const nodes = [];
  const waiting = [{ symbol, start: 0, depth: 0, parent: null }];
  while (waiting.length && nodes.length < MOST_NODES) {
    const node = waiting.pop();
    node.end = node.start + model.lengthOf(node.symbol);
    node.parts = [];
    node.parent?.parts.push(node);
    nodes.push(node);
    const pair = model.partsOf(node.symbol);
    if (!pair) continue;
    const [left, right] = pair.map((part) => ({ symbol: part, depth: node.depth + 1, parent: node }));
    left.start = node.start;
    right.start = node.start + model.lengthOf(left.symbol);
    waiting.push(right, left);
  }
  return nodes;
}

function describeNode(model, { symbol }) {
  const bytes = model.bytesOf(symbol);
  if (symbol < 256) return `${visibleText(bytes)}  byte ${symbol}, ${hexText(bytes)}`;
  const count = model.countOf(symbol);
  const counted = count === null ? "" : `, counted ${count.toLocaleString("en")}`;
  return `${visibleText(bytes)}  rank ${model.rankOf(symbol).toLocaleString("en")}${counted}, ${hexText(bytes)}`;
}

function outlineOf(model, nodes) {
  return nodes.map((node) => "  ".repeat(node.depth) + describeNode(model, node)).join("\n");
}

function drawTree(model, symbol) {
  const nodes = treeOf(model, symbol);
  const box = document.createElement("div");
  box.className = "tree-box";
  const tree = box.appendChild(document.createElement("div"));
  const about = box.appendChild(document.createElement("div"));
  about.className = "about-node";
  about.textContent = describeNode(model, nodes[0]);
  placeNodes(tree, model, nodes);
  listenToTree(tree, about, model, nodes);
  box.appendChild(drawOutline(model, nodes));
  return box;
}

function placeNodes(tree, model, nodes) {
  tree.className = "tree";
  tree.setAttribute("role", "tree");
  tree.setAttribute("aria-label", "Merges that built this token");
  const bytes = model.bytesOf(nodes[0].symbol);
  const widths = byteWidths(bytes, characterLengths(bytes));
  const sheet = tree.appendChild(document.createElement("div"));
  sheet.setAttribute("role", "presentation");
  sheet.style.width = `calc(var(--cell) * ${widthOf(widths, 0, bytes.length)})`;
  sheet.style.height = `calc(var(--level) * ${Math.max(...nodes.map((node) => node.depth)) + 1})`;
  for (const node of nodes) sheet.appendChild(drawNode(node, model, bytes, widths));
  nodes[0].element.tabIndex = 0;
}

function drawNode(node, model, bytes, widths) {
  const { symbol, start, end, depth } = node;
  const item = document.createElement("div");
  item.className = "node";
  item.style.left = `calc(var(--cell) * ${widthOf(widths, 0, start)})`;
  item.style.top = `calc(var(--level) * ${depth})`;
  item.setAttribute("role", "treeitem");
  item.setAttribute("aria-level", depth + 1);
  item.setAttribute("aria-label", describeNode(model, node));
  if (symbol >= 256) item.setAttribute("aria-expanded", "true");
  item.tabIndex = -1;
  const tile = item.appendChild(document.createElement("span"));
  tile.className = `tile inline ${symbol < 256 ? "raw" : `c${colourOf(bytes, start, end)}`}`;
  tile.style.width = `calc(var(--cell) * ${widthOf(widths, start, end)})`;
  fillTile(tile, bytes, characterLengths(bytes), widths, start, end);
  const rank = item.appendChild(document.createElement("small"));
  rank.textContent = symbol < 256 ? "" : model.rankOf(symbol);
  node.element = item;
  return item;
}

function listenToTree(tree, about, model, nodes) {
  const nodeOf = (event) => nodes.find(({ element }) => element === event.target.closest(".node"));
  const tell = (event) => {
    const node = nodeOf(event);
    if (node) about.textContent = describeNode(model, node);
  };
  tree.addEventListener("pointerover", tell);
  tree.addEventListener("focusin", tell);
  tree.addEventListener("keydown", (event) => {
    const node = nodeOf(event);
    const next = node && neighbourInTree(nodes, node, event.key);
    if (next === undefined) return;
    event.preventDefault();
    if (!next) return;
    node.element.tabIndex = -1;
    next.element.tabIndex = 0;
    next.element.focus();
  });
}

// The node a key leads to, null if there is none, undefined if the key means nothing here.
function neighbourInTree(nodes, node, key) {
  const siblings = node.parent?.parts ?? [];
  const moves = {
    ArrowDown: () => node.parts[0],
    ArrowUp: () => node.parent,
    ArrowLeft: () => (siblings[1] === node ? siblings[0] : null),
    ArrowRight: () => (siblings[0] === node ? siblings[1] : null),
    Home: () => nodes[0],
    End: () => nodes[nodes.length - 1],
  };
  return moves[key] && (moves[key]() ?? null);
}

function drawOutline(model, nodes) {
  const details = document.createElement("details");
  details.appendChild(document.createElement("summary")).textContent = "The tree as text";
  const outline = details.appendChild(document.createElement("pre"));
  outline.tabIndex = 0;
  const more = nodes.length === MOST_NODES ? `\nOnly the first ${MOST_NODES} parts are shown.` : "";
  details.addEventListener("toggle", () => (outline.textContent ||= outlineOf(model, nodes) + more));
  return details;
}
