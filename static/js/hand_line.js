// @ts-check
// The hand line and the form of a table's page. What a line means as fields, which readings it has and whether it needs a reason is in
// the server's answer to the typing; here is only what the keys do with it.

const line = () => document.getElementById("line");
const details = () => document.querySelector("details.by-form");

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
  const form = button.closest("form");
  const input = form.elements.namedItem("line");
  if (input) {
    input.focus();
    setLine(input, button.dataset.choice);
    return;
  }
  const kind = form.querySelector('[name="kind"]:checked');
  fillForm(form, JSON.parse(button.dataset.fields));
  (kind || form).focus();
  form.dispatchEvent(new Event("change", { bubbles: true }));
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

// ------------------------------------------------ line and form say the same hand

// Only the one that has the focus changes the other.

// Puts fields ({ name: [values] }) into the form, and empties the others.
function fillForm(form, fields) {
  const isOurs = (control) => control.name && control.type !== "hidden" && control.name !== "reason";
  for (const control of [...form.elements].filter(isOurs)) {
    const values = fields[control.name] || [];
    if (control.type === "checkbox" || control.type === "radio") control.checked = values.includes(control.value);
    else if (control.localName === "select") select(control, values[0] || "");
    else control.value = values[0] || "";
  }
}

function select(control, value) {
  const isKnown = [...control.options].some((option) => option.value === value);
  if (!isKnown && value) control.add(new Option(value, value));
  if (isKnown || value) control.value = value;
}

function fillFromLine() {
  const said = document.querySelector("#understood [data-in-step]");
  const fields = said ? JSON.parse(said.dataset.fields) : {};
  if (fields.kind && line()?.value.trim()) fillForm(details().querySelector("form"), fields);
}

function fillLine(said) {
  const input = line();
  if (!input || input.value.includes("[") || input.value === said.dataset.inStep) return; // tiles say more than the form
  setLine(input, said.dataset.inStep);
}

// Either han and fu, or points: the later one counts.
function keepOneValue({ target }) {
  const [, name, seat] = /^(han|fu|paid)-(\d)$/.exec(target.name || "") || [];
  if (!name || !target.value || !target.form) return;
  for (const other of name === "paid" ? ["han", "fu"] : ["paid"]) {
    const control = target.form.elements.namedItem(`${other}-${seat}`);
    if (control) control.value = "";
  }
}

function keepInStep({ detail: { target } }) {
  const focused = document.activeElement;
  if (target.id === "understood" && details()?.open && focused === line()) fillFromLine();
  const isByForm = target.id === "understood-form" && target.closest("form").contains(focused);
  const said = isByForm ? target.querySelector("[data-in-step]") : null;
  if (said) fillLine(said);
}

function opened({ target }) {
  if (target === details() && target.open) fillFromLine();
}

document.addEventListener("toggle", opened, { capture: true });
document.addEventListener("change", keepOneValue, { capture: true }); // before htmx asks what the form means
document.addEventListener("htmx:afterSwap", keepInStep);

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
if (document.getElementById("count-dialog")) import("./count_dialog.js");
