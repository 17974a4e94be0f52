// @ts-check
// Narrow a list of names to what is typed: on the phone page, at check-in (check_in.js), and (by `wordsOf`) in the grid of tables. Items carry their
// folded text in data-fold, written by tournament/text/names.py; the typed text is folded the same way here (tests/js/names.json).

const PLAIN = { ł: "l", ø: "o", đ: "d", ß: "ss", æ: "ae", œ: "oe", ı: "i", þ: "th", ð: "d" };

/**
 * Split a typed text into words without case and accents.
 * @param {string} text
 * @returns {string[]}
 */
export function wordsOf(text) {
  const plain = text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
  return plain
    .replace(/[łøđßæœıþð]/g, (sign) => PLAIN[sign])
    .split(/\s+/)
    .filter(Boolean);
}

// Returns the items that have each word in their text or as their number; hides the others.
export function narrow(list, text) {
  const words = wordsOf(text);
  const items = [...document.querySelectorAll(`${list} > li`)];
  for (const item of items) {
    const { fold, number } = item.dataset;
    item.hidden = !words.every((word) => fold.includes(word) || number === word);
  }
  return items.filter((item) => !item.hidden);
}

function startPicking(field) {
  const none = document.querySelector("[data-pick-none]");
  const show = () => {
    const left = narrow("[data-pick-list]", field.value);
    if (none) none.hidden = left.length > 0;
    return left;
  };
  field.addEventListener("input", show);
  field.form.addEventListener("submit", (event) => {
    const left = show();
    event.preventDefault();
    if (left.length === 1) location.assign(left[0].querySelector("a").href);
  });
  show();
}

if (globalThis.document) {
  const toPick = document.querySelector("[data-pick]");
  if (toPick && document.querySelector("[data-pick-list] > li")) startPicking(toPick);
}
