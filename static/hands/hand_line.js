// @ts-check
// The hand line of a table's page. Which readings a line has and whether it needs a reason is in the server's answer to the typing; here is
// only what the keys do with it.

const line = () => document.getElementById("line");

function setLine(input, text) {
  input.value = text;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

function stop(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

// ------------------------------------------------ what is asked before a hand is sent

// What was paid can be more than one hand: Enter goes to the readings, which are numbered buttons.
function askWhich(event) {
  const input = event.target.elements?.namedItem("line");
  const choices = event.target.querySelector?.("[data-choices-for]");
  if (!input || choices?.dataset.choicesFor !== input.value) return;
  stop(event);
  choices.querySelector("[data-choice]").focus();
}

// A hand with a warning needs a reason: Enter goes there at once, so that no letter typed next lands in the line.
function askWhy(event) {
  const wanted = event.target.querySelector?.("[data-reason-for]");
  const reason = event.target.querySelector?.(".reason-field input");
  const input = event.target.elements?.namedItem("line");
  if (!wanted || !reason || !input || reason.value.trim() || wanted.dataset.reasonFor !== input.value) return;
  stop(event);
  reason.focus();
}

function choose(button) {
  line().focus({ preventScroll: true });
  setLine(line(), button.dataset.choice);
}

function keyInChoices(event) {
  const buttons = [...(event.target.closest?.("[data-choices-for]")?.querySelectorAll("[data-choice]") || [])];
  if (!buttons.length || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const chosen = /^[1-9]$/.test(event.key) ? buttons[event.key - 1] : null;
  if (!step && !chosen && event.key !== "Escape") return;
  event.preventDefault(); // no digit goes to "Table"
  if (chosen) choose(chosen);
  else if (step) buttons[(buttons.indexOf(event.target) + step + buttons.length) % buttons.length].focus();
  else event.target.closest("form").elements.namedItem("line")?.focus();
}

document.documentElement.classList.add("has-choice");
addEventListener("submit", askWhich, { capture: true }); // on the window: before outbox.js takes the hand
addEventListener("submit", askWhy, { capture: true });
document.addEventListener("keydown", keyInChoices, { capture: true });
document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-choice]");
  if (button) choose(button);
});
document.addEventListener("keydown", (event) => {
  if (event.code !== "KeyK" || !event.altKey || event.ctrlKey || event.metaKey) return;
  const likely = document.querySelector("[data-likely]"); // the likeliest slip (hands/slips.html)
  if (likely) event.preventDefault();
  likely?.click();
});

// ------------------------------------------------ the last hand, by ArrowUp in the empty line

document.addEventListener("keydown", (event) => {
  const other = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing;
  const last = document.querySelector("table.hands tbody tr:not(.is-void) a[data-correct]");
  if (event.key !== "ArrowUp" || other || event.target !== line() || event.target.value || !last) return;
  event.preventDefault();
  location.assign(last.href);
});

// What was entered is selected, so that typing replaces it. Keys typed before this script ran are in front of it: they replace it, too.
function selectEntered(input) {
  const entered = input.defaultValue;
  if (input.value === entered) input.select();
  else if (entered && input.value.endsWith(entered)) input.value = input.value.slice(0, -entered.length);
}

function selectOnce({ target }) {
  if (target.value === target.defaultValue) target.select();
}

if (new URLSearchParams(location.search).has("correct") && document.querySelector("#hand-line[data-outbox] #line")) {
  if (document.activeElement === line()) selectEntered(line());
  else line().addEventListener("focus", selectOnce, { once: true }); // a browser may focus it only after this script
}

// The picker comes last: what is typed meanwhile does not wait for it.
if (document.getElementById("count-dialog")) import("../calculator/count_dialog.js");
