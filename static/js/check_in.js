// Narrows the check-in list to what is typed, as static/js/pick.js does for names; Enter is the form's own: the server ticks the
// one who is meant. After an answer the field holds what the server still asks about, which is nothing once somebody is ticked.

const field = document.querySelector("[data-check-name]");
const PLAIN = { ł: "l", ø: "o", đ: "d", ß: "ss", æ: "ae", œ: "oe", ı: "i", þ: "th", ð: "d" };

function fold(text) {
  return text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").replace(/[łøđßæœıþð]/g, (sign) => PLAIN[sign]);
}

function narrow() {
  const words = fold(field.value).split(/\s+/).filter(Boolean);
  for (const item of document.querySelectorAll("[data-check-list] > li")) {
    item.hidden = !words.every((word) => item.dataset.fold.includes(word) || item.dataset.number === word);
  }
}

document.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.requestConfig?.verb === "post") field.value = document.getElementById("check-in").dataset.query;
  narrow();
});
field.addEventListener("input", narrow);
if (matchMedia("(pointer: fine)").matches) field.focus(); // on a phone rows are tapped, and no keyboard covers them
