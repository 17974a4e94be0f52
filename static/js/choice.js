// What was paid may be more than one hand: the server's readings stand as numbered buttons. A number or a click chooses one; then the
// line, or the form, says han and fu. Enter in the line goes to the buttons before anything is sent. It knows no values.

import { fillForm } from "./in_step.js";

const buttonsAt = (element) => [...(element?.closest("[data-choices-for]")?.querySelectorAll("[data-choice]") || [])];

function choose(button) {
  const form = button.closest("form");
  const line = form.elements.namedItem("line");
  if (line) {
    line.value = button.dataset.choice;
    line.focus();
    line.dispatchEvent(new Event("input", { bubbles: true }));
  } else {
    const kind = form.querySelector('[name="kind"]:checked');
    fillForm(form, JSON.parse(button.dataset.fields));
    (kind || form).focus();
    form.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

function keyed(event) {
  const buttons = buttonsAt(event.target);
  if (!buttons.length || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const at = buttons.indexOf(event.target);
  const chosen = /^[1-9]$/.test(event.key) ? buttons[event.key - 1] : null;
  if (!step && !chosen && event.key !== "Escape") return;
  event.preventDefault(); // no digit goes to "Table"
  if (chosen) choose(chosen);
  else if (step) buttons[(at + step + buttons.length) % buttons.length].focus();
  else event.target.closest("form").elements.namedItem("line")?.focus();
}

function sent(event) {
  const line = event.target.elements?.namedItem("line");
  const choices = event.target.querySelector?.("[data-choices-for]");
  if (!line || !choices || choices.dataset.choicesFor !== line.value) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  choices.querySelector("[data-choice]").focus();
}

document.documentElement.classList.add("has-choice");
addEventListener("submit", sent, { capture: true });
document.addEventListener("keydown", keyed, { capture: true });
document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-choice]");
  if (button) choose(button);
});
