// Narrows the list of names to what is typed, without asking the server. Each item carries its folded text in data-fold, written
// by web/words/name_search.py; the typed text is folded the same way here.

const input = document.querySelector("[data-pick]");
const items = [...document.querySelectorAll("[data-pick-list] > li")];
const none = document.querySelector("[data-pick-none]");
const PLAIN = { ł: "l", ø: "o", đ: "d", ß: "ss", æ: "ae", œ: "oe", ı: "i", þ: "th", ð: "d" };

function fold(text) {
  return text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").replace(/[łøđßæœıþð]/g, (sign) => PLAIN[sign]);
}

function narrow() {
  const words = fold(input.value).split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const item of items) {
    const fits = words.every((word) => item.dataset.fold.includes(word));
    item.hidden = !fits;
    shown += fits;
  }
  if (none) none.hidden = shown > 0;
}

function send(event) {
  const left = items.filter((item) => !item.hidden);
  event.preventDefault();
  if (left.length === 1) location.assign(left[0].querySelector("a").href);
}

if (input && items.length) {
  input.addEventListener("input", narrow);
  input.form.addEventListener("submit", send);
  narrow();
}
