// The line and the form say the same hand: what is typed in the line fills the form as it is opened, or while it stands open; what is
// set in the form stands in the line. Only the one that has the focus moves the other. Neither is read here: what a line is as fields,
// and fields as a line, stands in what the server understood.

const line = () => document.getElementById("line");
const details = () => document.querySelector("details.by-form");
const isOurs = (control) => control.name && control.type !== "hidden" && control.name !== "reason";

// puts fields ({ name: [values] }) into the form, and empties the others
export function fillForm(form, fields) {
  for (const control of [...form.elements].filter(isOurs)) {
    const values = fields[control.name] || [];
    if (control.type === "checkbox" || control.type === "radio") control.checked = values.includes(control.value);
    else if (control.tagName === "SELECT") choose(control, values[0] || "");
    else control.value = values[0] || "";
  }
}

function choose(select, value) {
  const known = [...select.options].some((option) => option.value === value);
  if (!known && value) select.add(new Option(value, value));
  if (known || value) select.value = value;
}

function fillFromLine() {
  const said = document.querySelector("#understood [data-in-step]");
  const fields = said ? JSON.parse(said.dataset.fields) : {};
  if (fields.kind && line()?.value.trim()) fillForm(details().querySelector("form"), fields);
}

function writeLine(said) {
  const input = line();
  if (!input || input.value.includes("[") || input.value === said.dataset.inStep) return; // tiles say more than the form
  input.value = said.dataset.inStep;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

// either han and fu, or points: the later one counts
function keepOneValue({ target }) {
  const [, name, seat] = /^(han|fu|paid)-(\d)$/.exec(target.name || "") || [];
  if (!name || !target.value || !target.form) return;
  for (const other of name === "paid" ? ["han", "fu"] : ["paid"]) {
    const control = target.form.elements.namedItem(`${other}-${seat}`);
    if (control) control.value = "";
  }
}

document.addEventListener("toggle", ({ target }) => {
  if (target === details() && target.open) fillFromLine();
}, { capture: true });
document.addEventListener("change", keepOneValue, { capture: true }); // before htmx asks what the form means
document.addEventListener("htmx:afterSwap", ({ detail: { target } }) => {
  const focused = document.activeElement;
  if (target.id === "understood" && details()?.open && focused === line()) fillFromLine();
  const said = target.id === "understood-form" && target.closest("form").contains(focused) ? target.querySelector("[data-in-step]") : null;
  if (said) writeLine(said);
});
