// The encoding film: every pass over a chunk as a row. A byte keeps its place in all rows, so a column can be read down.
//
// data: { chunks: [{ bytes, passes: [{ lengths, ids, ranks, joined_at, rank, new_id, left }], stopped }] }, see __init__.py

const make = (tag, className, text = "") => {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
};
const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

function drawChunk({ bytes: packed, passes, stopped }, number, numChunks) {
  const bytes = unpack(["u1", packed]);
  const lengths = characterLengths(bytes);
  const chunk = { bytes, lengths, widths: byteWidths(bytes, lengths) };
  const box = make("section", "chunk-film");
  const title = numChunks > 1 ? `Chunk ${number + 1} of ${numChunks}: ${spokenText(bytes)}` : spokenText(bytes);
  box.setAttribute("aria-label", title);
  if (numChunks > 1) box.appendChild(make("h3", "", `Chunk ${number + 1} of ${numChunks}`));
  const list = box.appendChild(make("ol", "passes"));
  list.tabIndex = 0;
  list.setAttribute("aria-label", `Passes over ${spokenText(bytes)}`);
  passes.forEach((pass, place) => list.appendChild(drawPass(chunk, pass, place, stopped)));
  return box;
}

function drawPass(chunk, pass, place, stopped) {
  const row = make("li", pass.rank === null ? "pass last" : "pass");
  row.appendChild(make("span", "pass-number", pass.rank === null ? "end" : `pass ${place + 1}`));
  const picture = row.appendChild(make("span", "pass-picture"));
  picture.appendChild(drawTiles(chunk, pass));
  picture.appendChild(drawRanks(chunk, pass));
  row.appendChild(drawOutcome(chunk, pass, stopped));
  return row;
}

const startsOf = ({ lengths }) => lengths.reduce((starts, length) => [...starts, starts.at(-1) + length], [0]);
const cells = (widths, start, end) => `calc(var(--cell) * ${widthOf(widths, start, end)})`;

function drawTiles({ bytes, lengths, widths }, pass) {
  const line = make("span", "pass-tiles");
  const starts = startsOf(pass);
  pass.ids.forEach((id, token) => {
    const [start, end] = [starts[token], starts[token + 1]];
    const tile = line.appendChild(make("span", `tile inline ${end - start > 1 ? `c${colourOf(bytes, start, end)}` : "raw"}`));
    tile.style.width = cells(widths, start, end);
    tile.title = `id ${id}`;
    fillTile(tile, bytes, lengths, widths, start, end);
  });
  for (const token of pass.joined_at) {
    const ring = line.appendChild(make("span", "ring next"));
    ring.setAttribute("aria-hidden", "true");
    ring.style.left = cells(widths, 0, starts[token]);
    ring.style.width = cells(widths, starts[token], starts[token + 2]);
    ring.style.setProperty("--cut", cells(widths, starts[token], starts[token + 1]));
  }
  return line;
}

function drawRanks({ widths }, pass) {
  const line = make("span", "pass-ranks");
  const starts = startsOf(pass);
  line.style.width = cells(widths, 0, starts.at(-1));
  pass.ranks.forEach((rank, gap) => {
    const label = line.appendChild(make("span", rank === null ? "no-rule" : "rank"));
    label.append(rank === null ? "no" : rank.toLocaleString("en"));
    if (rank === null) label.append(make("br"), "rule");
    label.classList.toggle("lowest", pass.joined_at.includes(gap));
    label.style.left = cells(widths, 0, starts[gap + 1]);
  });
  return line;
}

function drawOutcome({ bytes }, pass, stopped) {
  const line = make("span", "outcome");
  if (pass.rank === null) {
    line.append(make("b", "", endSentence(stopped)), ` ${count(pass.left, "token")}: ${pass.ids.length === 1 ? "id" : "ids"} ${pass.ids.join(", ")}.`);
    return line;
  }
  const starts = startsOf(pass);
  const [first] = pass.joined_at;
  const part = (token) => drawToken(bytes.subarray(starts[token], starts[token + 1]));
  const pair = make("span", "outcome-pair");
  pair.append(part(first), " + ", part(first + 1), " → ", drawToken(bytes.subarray(starts[first], starts[first + 2])));
  line.append("Lowest: rank ", make("b", "", pass.rank.toLocaleString("en")), pair);
  const places = pass.joined_at.map((token) => token + 1).join(", ");
  line.append(`joined at ${pass.joined_at.length > 1 ? "places" : "place"} ${places}; ${count(pass.left, "token")} left`);
  return line;
}

function endSentence(stopped) {
  if (stopped === "no neighbouring pair is a rule") return "Stops: no two neighbours are a rule.";
  return `Stops: ${stopped}.`;
}

const roots = new WeakMap();

export default function ({ data, parentElement }) {
  if (!roots.has(parentElement)) {
    const root = parentElement.appendChild(make("div", "tokens encoding"));
    roots.set(parentElement, { root, following: followWidth(root) });
  }
  const { root, following } = roots.get(parentElement);
  applyTheme(root);
  matchCells(root);
  root.replaceChildren(...data.chunks.map((chunk, number) => drawChunk(chunk, number, data.chunks.length)));
  return () => {
    following.disconnect();
    root.remove();
    roots.delete(parentElement);
  };
}
