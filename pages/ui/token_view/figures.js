// How figures are written, as pages/ui/words.py writes them.
//
//   ratio(2.9736) -> "2.97"; null -> "–"      counted(1200, "merge") -> "1,200 merges"
//   sizeInParts(0, 768) -> "= 256 bytes + 768 merges"

function ratio(value, digits = 2) {
  const shown = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return value === null ? "–" : value.toLocaleString("en", shown);
}

const counted = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

// What a vocabulary consists of.
function sizeInParts(specials, merges) {
  return `= ${["256 bytes", ...(specials ? [counted(specials, "special")] : []), counted(merges, "merge")].join(" + ")}`;
}
