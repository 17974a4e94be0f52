// @ts-check
// A sheet by the numeric keypad: Enter goes to the next number and sends from the last, / to a player's loan, * to the deposits left. The
// server reads and checks the numbers. A sheet that the desk does not answer goes to the outbox, which keeps it on this laptop.

import { whereIs } from "./outbox_page.js";
import { sameTable } from "./outbox_store.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("totals"));
const counts = () => [...form.querySelectorAll("[data-count]")];
const go = (field) => {
  field.focus();
  field.select();
};

function onward(from) {
  const fields = counts();
  const open = fields.slice(from).find((field) => !field.value.trim()) || fields.find((field) => !field.value.trim());
  if (open) go(open);
  else form.requestSubmit(document.getElementById("totals-send"));
}

function seatOf(field) {
  return Number(field.name.split("-")[1]);
}

function enter(field) {
  const at = counts().indexOf(field);
  const next = counts()[at + 1];
  if (at >= 0 && next) go(next);
  else onward(field.matches("[data-loan]") ? seatOf(field) + 1 : 0);
}

function keyDown(event) {
  const field = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (!field.matches?.("[data-count], [data-loan], [data-leftover]")) return;
  const at = counts().indexOf(field);
  if (event.key === "Enter") enter(field);
  else if (event.key === "/" && at >= 0) go(form.querySelector(`[name="loan-${seatOf(field)}"]`));
  else if (event.key === "*") go(form.querySelector("[data-leftover]"));
  else if (event.key === "ArrowDown" && at >= 0) go(counts()[Math.min(at + 1, counts().length - 1)]);
  else if (event.key === "ArrowUp" && at > 0) go(counts()[at - 1]);
  else return;
  event.preventDefault();
}

// ------------------------------------------------ sending

async function submitted(event) {
  if (event.target !== form || "outbox" in form.dataset || event.submitter?.name === "switch") return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (form.dataset.sending) return;
  form.dataset.sending = "1";
  const body = new URLSearchParams([...new FormData(form), ["rolling", "1"]]);
  try {
    const response = await fetch(form.action, {
      method: "POST",
      body,
      headers: { Accept: "application/json" },
      credentials: "same-origin",
      redirect: "manual",
    });
    if (response.ok) location.assign((await response.json()).next);
    else if ([409, 422].includes(response.status))
      form.submit(); // the page says why; nothing was written
    else keep();
  } catch {
    keep();
  } finally {
    delete form.dataset.sending;
  }
}

// No answer, or nobody signed in any more: the outbox takes the form from here on.
function keep() {
  form.dataset.outbox = "";
  form.requestSubmit(document.getElementById("totals-send"));
}

// While the outbox has this sheet there is nothing to type here; when the desk has it, the next one is opened.
let waited = false;
function waits({ detail: { tables } }) {
  const mine = tables.find((each) => sameTable(each, whereIs()));
  const kept = document.querySelector("[data-totals-kept]");
  kept.hidden = !mine || Boolean(mine.refused);
  if (mine && !mine.refused && !waited) form.hidden = true;
  if (!mine && waited) location.assign(document.querySelector("[data-pile]").href);
  waited = Boolean(mine);
}

if (form) {
  document.documentElement.classList.add("has-totals"); // the keys that work with this script alone show from now on
  addEventListener("submit", submitted, { capture: true }); // before the outbox looks
  form.addEventListener("keydown", keyDown);
  document.addEventListener("outbox-changed", waits);
  const first = form.querySelector("[autofocus]");
  if (first) go(first); // what is wrong is overtyped, not added to
}
