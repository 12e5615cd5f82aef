// What bytes look like: characters, names for what cannot be seen, and widths in cells.
//
//   characterLengths(bytes)        per byte: length of the character that begins there, 0 inside one, BROKEN if no UTF-8
//   byteWidths(bytes, lengths)     per byte: its width in cells; fixed, whatever tokens it is part of
//   segmentsOf(bytes, lengths, start, end)   what to draw of a token, left to right
//   visibleText(bytes)             one readable string, as bpe_core.visible writes it
//   spokenText(bytes)              the same for a screen reader: "space Holmes"
//
// Only whole, valid UTF-8 is ever decoded, so U+FFFD is drawn only where the text itself holds it.

const BROKEN = 9;
const NAMES = new Map(Object.entries({
  a0: "NBSP", ad: "SHY", "34f": "CGJ", "61c": "ALM", "200b": "ZWSP", "200c": "ZWNJ", "200d": "ZWJ", "200e": "LRM",
  "200f": "RLM", 2028: "LSEP", 2029: "PSEP", "202a": "LRE", "202b": "RLE", "202c": "PDF", "202d": "LRO",
  "202e": "RLO", 2060: "WJ", 2066: "LRI", 2067: "RLI", 2068: "FSI", 2069: "PDI", feff: "BOM",
}).map(([hex, name]) => [parseInt(hex, 16), name]));
const MARKS = { 32: "·", 9: "→", 10: "↵" };
const SPOKEN = { 32: "space", 9: "tab", 10: "line feed" };
const UNSEEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;
// These must stay in one run of text with the character before, or they lose their shape.
const ATTACHES = /[\p{M}\p{Emoji_Modifier}]/u;
const SHAPES = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Thai}\p{Script=Lao}\p{Script=Tibetan}\p{Script=Myanmar}\p{Script=Khmer}\p{Regional_Indicator}]/u;

const hexByte = (byte) => byte.toString(16).toUpperCase().padStart(2, "0");
const hexText = (bytes) => Array.from(bytes, hexByte).join(" ");

// Length of the valid UTF-8 character at `i`, or BROKEN (RFC 3629: no overlong forms, no surrogates).
function characterLength(bytes, i) {
  const first = bytes[i];
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || i + length > bytes.length) return BROKEN;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (bytes[i + 1] < low || bytes[i + 1] > high) return BROKEN;
  for (let j = i + 2; j < i + length; j++) if ((bytes[j] & 0xc0) !== 0x80) return BROKEN;
  return length;
}

function characterLengths(bytes) {
  const lengths = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; i += lengths[i] === BROKEN ? 1 : lengths[i]) lengths[i] = characterLength(bytes, i);
  return lengths;
}

function codePoint(bytes, i, length) {
  if (length === 1) return bytes[i];
  let code = bytes[i] & (0x7f >> length);
  for (let j = i + 1; j < i + length; j++) code = (code << 6) | (bytes[j] & 0x3f);
  return code;
}

// "plain" is one cell of text; "mark" a glyph for white space; "shown" any other character that can be seen.
function kindOf(code) {
  if (code > 32 && code < 127) return "plain";
  if (code in MARKS) return "mark";
  if (code < 0x80) return "control"; // the controls 80 to 9F of Latin-1 are named: two digits would look like a broken byte
  return UNSEEN.test(String.fromCodePoint(code)) ? "named" : "shown";
}

function byteWidths(bytes, lengths) {
  const widths = new Float32Array(bytes.length).fill(0.75);
  for (let i = 0; i < bytes.length; i++) {
    if (lengths[i] === 1) widths[i] = 1;
    else if (lengths[i] > 1 && lengths[i] !== BROKEN && kindOf(codePoint(bytes, i, lengths[i])) === "named") {
      widths.fill(3 / lengths[i], i, i + lengths[i]);
    }
  }
  return widths;
}

const nameOf = (code) =>
  NAMES.get(code) ??
  (code >= 0xfe00 && code <= 0xfe0f ? `VS${code - 0xfdff}` : `U+${code.toString(16).toUpperCase().padStart(4, "0")}`);

// Bytes start..end as a list of { kind, text, start, end }; a character that is not whole there is one "half" per byte.
function segmentsOf(bytes, lengths, start, end) {
  const segments = [];
  for (let i = start; i < end; ) {
    const length = lengths[i];
    if (length === 0 || length === BROKEN || i + length > end) {
      segments.push({ kind: "half", text: hexByte(bytes[i]), start: i, end: ++i });
      continue;
    }
    addCharacter(segments, codePoint(bytes, i, length), i, i + length);
    i += length;
  }
  return segments;
}

function addCharacter(segments, code, start, end) {
  const last = segments[segments.length - 1];
  let kind = kindOf(code);
  let text = MARKS[code] ?? String.fromCodePoint(code);
  if (code === 32) kind = "plain"; // its dot has the width of a letter, so it may share their run
  if (kind === "control") text = hexByte(code);
  if (kind === "named") text = nameOf(code);
  const joins = last && last.end === start && (kind === "plain" ? last.kind === "plain" : joinsRun(last, kind, text));
  if (!joins) {
    const alone = kind === "shown" && /^\p{M}/u.test(text) ? "◌" + text : text;
    segments.push({ kind, text: alone, start, end });
    return;
  }
  if (last.kind === "plain" && kind === "shown") splitLastCharacter(segments);
  const run = segments[segments.length - 1];
  run.text += text;
  run.end = end;
  if (kind === "shown") run.kind = "shown";
}

const joinsRun = (last, kind, text) =>
  kind === "shown" &&
  ((last.kind === "shown" && SHAPES.test(text) && SHAPES.test(last.text.at(-1))) ||
    ((last.kind === "shown" || (last.kind === "plain" && !last.text.endsWith("·"))) && ATTACHES.test(text)));

// A combining mark takes only the letter before it out of a run of letters.
function splitLastCharacter(segments) {
  const run = segments[segments.length - 1];
  if (run.text.length === 1) return;
  segments.push({ kind: "plain", text: run.text.slice(-1), start: run.end - 1, end: run.end });
  run.text = run.text.slice(0, -1);
  run.end -= 1;
}

function visibleText(bytes) {
  const bracketed = { half: true, control: true, named: true };
  return segmentsOf(bytes, characterLengths(bytes), 0, bytes.length)
    .map(({ kind, text }) => (bracketed[kind] ? `⟨${text}⟩` : text))
    .join("");
}

function spokenText(bytes) {
  const lengths = characterLengths(bytes);
  const words = [];
  for (const { kind, text, start, end } of segmentsOf(bytes, lengths, 0, bytes.length)) {
    if (kind === "plain") words.push(text.replaceAll("·", (_, i) => (bytes[start + i] === 32 ? " space " : "·")));
    else if (kind === "mark") words.push(` ${SPOKEN[bytes[start]]} `);
    else if (kind === "shown") words.push(text);
    else words.push(` ${kind === "half" ? "byte" : kind === "control" ? "control" : "character"} ${text} `);
  }
  return words.join("").replace(/ +/g, " ").trim();
}
