// @ts-check
// What teaches the hand line: the ghost of the likeliest end, taken with Tab; the place of a key that fits nowhere; chips that type; and
// the keys beside the line, opened with "?". What can come next is in the server's read-back (tournament/hands/pad.py).

const root = document.documentElement;
const line = () => /** @type {HTMLInputElement | null} */ (document.getElementById("line"));
const under = () => document.querySelector("[data-under]");
const steps = () => /** @type {HTMLElement | null} */ (document.querySelector("#understood [data-steps-for]"));

let ghost = "";

/** @param {HTMLInputElement} input @param {string} text */
function type(input, text) {
  input.value = text;
  input.setSelectionRange(text.length, text.length);
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

// ------------------------------------------------ the ghost and the mark, drawn under the typed line

/** @param {string} typed @param {number} [fits] */
function draw(typed, fits = typed.length) {
  const node = under();
  if (!node) return;
  const wrong = Object.assign(document.createElement("mark"), { textContent: typed.slice(fits) });
  const rest = Object.assign(document.createElement("i"), { textContent: ghost });
  node.replaceChildren(typed.slice(0, fits), wrong, rest);
  node.scrollLeft = line()?.scrollLeft || 0;
}

// Until the desk answers, the ghost shrinks with what is typed of it, and goes when something else is.
let before = "";

function typed() {
  const text = line()?.value || "";
  const added = text.startsWith(before) ? text.slice(before.length) : null;
  ghost = added !== null && ghost.startsWith(added) ? ghost.slice(added.length) : "";
  before = text;
  draw(text);
}

function answered() {
  const found = steps();
  const text = line()?.value || "";
  before = text;
  const isFor = found?.dataset.stepsFor === text;
  ghost = isFor ? found.dataset.ghost || "" : "";
  draw(text, isFor ? Number(found.dataset.fits) : undefined);
}

document.addEventListener("input", ({ target }) => {
  if (target === line()) typed();
});
document.addEventListener("htmx:afterSwap", answered);
document.addEventListener(
  "scroll",
  ({ target }) => {
    const node = under();
    if (node && target === line()) node.scrollLeft = line()?.scrollLeft || 0;
  },
  { capture: true },
);

// ------------------------------------------------ keys and chips

/** @param {KeyboardEvent} event */
function keyDown(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const input = line();
  const isHere = event.target === input && input;
  if (event.key === "Tab" && !event.shiftKey && isHere && ghost && input.selectionStart === input.value.length) {
    event.preventDefault();
    type(input, input.value + ghost);
  } else if (event.key === "?" && isHere && !/[#=*]/.test(input.value)) {
    event.preventDefault(); // in a note or a reason it is a letter
    root.classList.toggle("shows-keys");
  } else if (event.key === "Escape" && root.classList.contains("shows-keys")) {
    event.preventDefault();
    event.stopImmediatePropagation();
    root.classList.remove("shows-keys");
  }
}

/** @param {MouseEvent} event */
function clicked({ target }) {
  const at = /** @type {Element} */ (target);
  const chip = /** @type {HTMLElement | null} */ (at.closest?.("[data-step]"));
  const input = line();
  if (chip && input) {
    type(input, input.value.slice(0, Number(steps()?.dataset.fits ?? input.value.length)) + chip.dataset.step);
    if (matchMedia("(pointer: fine)").matches) input.focus();
  } else if (at.closest?.("[data-show-keys]")) root.classList.toggle("shows-keys");
}

document.addEventListener("keydown", keyDown, { capture: true }); // before Escape clears the line: desk.js
document.addEventListener("click", clicked);
if (steps()) answered();
const shown = line();
// A browser begins in front of a line that was refused; what hand_line.js has selected stays so, to be typed over.
if (shown?.value && shown === document.activeElement && shown.selectionEnd === 0)
  shown.setSelectionRange(shown.value.length, shown.value.length);
