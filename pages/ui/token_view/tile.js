// One tile: its colour, its text, and the picture that fades when a cut closes. The API is told in tokens.js.

// FNV-1a, mixed: needs no table, so a token keeps its colour in every text, size and vocabulary.
function colourOf(bytes, start = 0, end = bytes.length) {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x7feb352d);
  hash ^= hash >>> 15;
  return (hash >>> 0) % 8;
}

function applyTheme(root) {
  const colour = getComputedStyle(root).getPropertyValue("--st-background-color");
  if (root.paper === colour) return;
  root.paper = colour;
  const probe = document.createElement("canvas").getContext("2d");
  probe.fillStyle = colour.trim() || "#fff";
  probe.fillRect(0, 0, 1, 1);
  const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
  root.classList.toggle("dark", 0.299 * red + 0.587 * green + 0.114 * blue < 128);
}

function matchCells(root) {
  const style = getComputedStyle(root);
  const font = () => `${style.getPropertyValue("--token-font-size")} ${style.getPropertyValue("--token-font")}`;
  const measure = () => {
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = font();
    const letter = pen.measureText("0".repeat(64)).width / 64;
    root.style.setProperty("--letter", `${letter}px`);
    root.style.setProperty("--letter-14", `${(letter * 14) / parseFloat(pen.font)}px`); // small tiles are set in 14 px
  };
  measure();
  document.fonts.load(font()).then(measure, () => {}); // a font that cannot be loaded is not used either
}

function followWidth(root) {
  const follow = () => root.classList.toggle("phone", root.clientWidth > 0 && root.clientWidth < PHONE_WIDTH);
  const observer = new ResizeObserver(follow);
  observer.observe(root);
  follow();
  return observer;
}

const TILE = document.createElement("span");
TILE.setAttribute("role", "option");
TILE.tabIndex = -1;

const widthOf = (widths, start, end) => {
  let cells = 0;
  for (let i = start; i < end; i++) cells += widths[i];
  return cells;
};

// Puts the text of bytes start..end into `tile`; `widths` are in cells.
function fillTile(tile, bytes, lengths, widths, start, end) {
  const segments = segmentsOf(bytes, lengths, start, end);
  if (segments.length === 1 && segments[0].kind === "plain") {
    tile.textContent = segments[0].text;
    return;
  }
  tile.classList.add("segmented");
  tile.replaceChildren(...segments.map((segment) => drawSegment(segment, lengths, widths)));
}

function drawSegment({ kind, text, start, end }, lengths, widths) {
  const element = document.createElement("span");
  element.className = `segment ${kind}`;
  if (kind === "half") element.className += edgesOfCharacter(lengths, start);
  element.style.width = `calc(var(--cell) * ${widthOf(widths, start, end)})`;
  element.start = start;
  element.end = end;
  const stacked = kind === "half" || kind === "control" || (kind === "named" && text.startsWith("U+"));
  if (kind === "shown") fitGlyph(element, text, widthOf(widths, start, end));
  if (!stacked) element.textContent = text;
  else for (const half of stack(text)) element.appendChild(document.createElement("i")).textContent = half;
  return element;
}

// A few characters are far wider than their bytes allow (U+FDFD is a whole sentence): those are set smaller.
const glyphWidths = new Map(); // in em
const glyphPen = document.createElement("canvas").getContext("2d");

function fitGlyph(element, text, cells) {
  if (!glyphWidths.has(text)) {
    glyphPen.font = "100px monospace";
    glyphWidths.set(text, glyphPen.measureText(text).width / 100);
  }
  const em = (cells * 11.5) / 17; // the ratio of cell to font is nearly one for all scales
  if (glyphWidths.get(text) > em * 1.1) element.style.fontSize = `${(em / glyphWidths.get(text)).toFixed(3)}em`;
}

// The dotted edge runs over all bytes of a character and stops short of its neighbours.
function edgesOfCharacter(lengths, byte) {
  const next = lengths[byte + 1];
  const ends = lengths[byte] === BROKEN || next === undefined || next > 0;
  return `${lengths[byte] ? " first" : ""}${ends ? " last" : ""}`;
}

const stack = (text) => {
  const digits = text.replace("U+", "");
  const middle = Math.ceil(digits.length / 2);
  return [digits.slice(0, middle), digits.slice(middle)];
};

function drawToken(bytes, { special } = {}) {
  const tile = document.createElement("span");
  tile.className = special ? "tile inline special" : `tile inline ${bytes.length > 1 ? `c${colourOf(bytes)}` : "raw"}`;
  if (special) {
    tile.textContent = special;
    return tile;
  }
  const lengths = characterLengths(bytes);
  const widths = byteWidths(bytes, lengths);
  fillTile(tile, bytes, lengths, widths, 0, bytes.length);
  tile.style.width = `calc(var(--cell) * ${widthOf(widths, 0, bytes.length)})`;
  return tile;
}

// The new tile begins with the picture of what was there, and that fades away.
function showClosing(tile, before, duration) {
  const stops = [];
  const origin = parseFloat(tile.style.left);
  for (const old of before) {
    if (old.end <= tile.start || old.start >= tile.end) continue;
    const from = parseFloat(old.style.left) - origin;
    const to = from + parseFloat(old.style.width);
    const fill = old.colour < 0 ? "var(--raw)" : `var(--fill-${old.colour})`;
    stops.push(`var(--paper) ${from}px ${from + 1}px, ${fill} ${from + 1}px ${to - 1}px, var(--paper) ${to - 1}px ${to}px`);
  }
  if (!stops.length) return;
  tile.style.setProperty("--was", `linear-gradient(90deg, ${stops.join(", ")})`);
  tile.style.setProperty("--close", `${duration}ms`);
  tile.classList.add("closing");
  tile.addEventListener("animationend", () => tile.classList.remove("closing"), { once: true });
}
