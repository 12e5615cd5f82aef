// Rows: where each byte of a text stands. Worked out once for a width; merges never change it.
//
//   layOutRows(model, cell, width) -> { starts, left, width, rowOf(byte), widthOfByte(byte), piecesOf(row) }
//     starts[r]   first byte of row r          left[b]   x of byte b in its row, in px
//     piece       { start, end, chunkStart, chunkEnd }: the part of one chunk that stands in one row

const ROW_MARGIN = 8;
const LABEL_LETTER = 7; // px
const LABEL_GAP = 14;

function layOutRows(model, cell, width) {
  const { bytes } = model;
  const left = new Float32Array(bytes.length);
  const starts = bytes.length ? [0] : [];
  let x = 0;
  let widest = 0;
  for (let start = 0; start < bytes.length; ) {
    const end = chunkEndFrom(model, start);
    const label = labelWidth(model, end);
    const needed = firstLineWidth(model, start, end, cell) + label;
    if (model.documents.has(start)) x = newRow(starts, start) + documentWidth(model, start);
    else if (x > 0 && x + needed > width) x = newRow(starts, start);
    x = placeChunk(model, { start, end, x, cell, width, starts, left }) + PAPER_BETWEEN_CHUNKS;
    x += label;
    widest = Math.max(widest, x);
    start = end;
  }
  const widthOfByte = (byte) => model.widths[byte] * cell;
  const rowOf = (byte) => rowHolding(starts, byte);
  const piecesOf = (row) => cutIntoPieces(model, starts[row], starts[row + 1] ?? bytes.length);
  return { starts, left, width: widest, rowOf, widthOfByte, piecesOf };
}

// Words behind a chunk, such as how often it occurs: `model.labels` maps the chunk's end to a short text.
function labelWidth({ labels }, end) {
  const label = labels?.get(end);
  return label ? label.length * LABEL_LETTER + LABEL_GAP : 0;
}

// The first row of a document begins with its name.
function documentWidth({ documents }, start) {
  return documentName(documents.get(start)).length * LABEL_LETTER + LABEL_GAP;
}

function documentName(number) {
  return `document ${number.toLocaleString("en")}`;
}

function chunkEndFrom({ bytes, gaps, wall }, start) {
  let end = start;
  while (end < gaps.length && gaps[end] !== wall) end++;
  return Math.min(end + 1, bytes.length);
}

function newRow(starts, byte) {
  if (starts[starts.length - 1] !== byte) starts.push(byte);
  return 0;
}

function firstLineWidth({ bytes, widths, labels }, start, end, cell) {
  let sum = 0;
  for (let i = start; i < end; i++) {
    sum += widths[i] * cell;
    if (bytes[i] === 10 && !labels) break;
  }
  return sum;
}

// A line feed ends its row, except in a list of chunks with labels; a chunk too long is broken between two characters.
function placeChunk(model, { start, end, x, cell, width, starts, left }) {
  const { bytes, widths, lengths } = model;
  for (let i = start; i < end; i++) {
    const length = lengths[i] === BROKEN ? 1 : lengths[i];
    if (length && x > 0 && x + length * widths[i] * cell > width) x = newRow(starts, i);
    left[i] = x;
    x += widths[i] * cell;
    if (bytes[i] === 10 && !model.labels && i + 1 < bytes.length) x = newRow(starts, i + 1) - (i + 1 === end ? PAPER_BETWEEN_CHUNKS : 0);
  }
  return x;
}

function rowHolding(starts, byte) {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= byte) low = middle;
    else high = middle - 1;
  }
  return low;
}

function cutIntoPieces(model, start, end) {
  const { gaps, wall } = model;
  let chunkStart = start;
  while (chunkStart > 0 && gaps[chunkStart - 1] !== wall) chunkStart--;
  const pieces = [];
  for (let from = start; from < end; ) {
    const chunkEnd = chunkEndFrom(model, from);
    const to = Math.min(chunkEnd, end);
    pieces.push({ start: from, end: to, chunkStart, chunkEnd });
    from = chunkStart = to;
  }
  return pieces;
}
