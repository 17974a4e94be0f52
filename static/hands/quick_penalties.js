// @ts-check
// Minutes and penalties: the submit of a form with data-lane is taken, said at once in the corner with "Undo", and handed to the outbox
// (acts.js). "Undo" is an act behind it in its lane, so it needs no network either. Without the outbox the forms post.
//
// data-lane is the name of the lane, data-said what is said of it; {field} in both is what the form has, and {who} the option chosen of
// its player. A ticked [data-posts] is no act: it writes a hand, and the answer shows the table.

import { Acts } from "../js/acts.js";
import { put } from "./outbox_view.js";

const MOST = 3; // notes at a time
const LONG = 15_000; // that a note stays once the desk has its act: then the clock's page and the register take it back
const list = document.getElementById("said-acts");
const acts = list && new Acts({ kind: "said", event: list.dataset.event, part: "time-state", draw });
let waited = 0;

/** @param {HTMLFormElement} form @param {any} button @returns {[string, string][]} */
function read(form, button) {
  /** @type {[string, string][]} */
  const all = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
  if (button?.name) all.push([button.name, button.value]);
  return all.filter(([name, value]) => value && name !== "csrfmiddlewaretoken" && name !== "client_id" && name !== "time_id");
}

// A number that the desk would refuse is posted: its answer says why beside the form.
const isWhole = (values) => ["minutes", "table"].every((name) => !(name in values) || /^\d+$/.test(values[name]));

// A page for one foul alone posts it, and leads on to where it came from; of another amount than the usual the desk asks why beside it.
function posts(form) {
  const amount = form.matches(".foul-confirm") ? form.elements.namedItem("amount") : null;
  const isOther = Boolean(amount && amount.value !== amount.defaultValue);
  return isOther || form.querySelector("[data-posts]:checked") || (form.matches("#foul-found *") && !form.closest("dialog, .split"));
}

function submitted(event) {
  const form = event.target;
  if (event.defaultPrevented || !form.matches?.("form[data-lane]") || !Acts.able || posts(form)) return;
  const fields = read(form, event.submitter);
  const values = Object.fromEntries(fields);
  values.who = form.elements.namedItem("player")?.selectedOptions?.[0]?.textContent.trim() ?? "";
  if ("time_id" in form.elements) values.minutes ??= values.other ?? "";
  if (!isWhole(values)) return;
  event.preventDefault(); // before htmx and offline_table.js
  event.stopImmediatePropagation();
  const act = { lane: put(form.dataset.lane, values), title: document.title, action: form.getAttribute("action") || location.pathname };
  const said = put(form.dataset.said, values);
  say(said, { ...act, undo: acts.take({ ...act, said, fields }) });
  leave(form);
  draw();
}

// Makes room for the next one: the form is closed where it was opened.
function leave(form) {
  const [found, dialog] = [form.closest("#foul-found"), form.closest("dialog")]; // before the form is taken out of both
  form.reset();
  form.closest("details.more-time")?.removeAttribute("open");
  if (found) found.replaceChildren();
  dialog?.close();
  document.getElementById("penalty-panel")?.replaceChildren(); // the next foul begins with an empty panel
  const line = /** @type {HTMLInputElement | null} */ (dialog && document.getElementById("line"));
  line?.focus({ preventScroll: true });
  line?.setSelectionRange(line.value.length, line.value.length); // the caret was in the panel: Chromium types nothing without this
  if (!dialog && found) document.querySelector("[data-foul-players] input, select[data-foul-players]")?.focus();
}

// ------------------------------------------------ saying

function say(said, act) {
  const note = document.getElementById("said-act").content.cloneNode(true).firstElementChild;
  note.querySelector("span").textContent = said;
  note.dataset.act = act.undo;
  note.querySelector("button").addEventListener("click", () => undo(note, said, act));
  list.prepend(note);
  while (list.children.length > MOST) list.lastElementChild.remove();
}

function undo(note, said, { lane, title, action, undo: id }) {
  const words = put(list.dataset.undone, { said });
  note.dataset.act = acts.take({ lane, title, action, said: words, fields: [["undo", id]] });
  note.querySelector("span").textContent = words;
  note.querySelector("button").remove();
  draw();
}

// Minutes of this table that the desk has not written yet, beside those that it has.
function draw() {
  const state = document.getElementById("time-state");
  const table = document.getElementById("table-page")?.dataset.tableNumber;
  for (const old of document.querySelectorAll(".time-extra[data-waits]")) old.remove();
  const gone = acts.fields.map((fields) => fields.undo);
  for (const [id, { fields }] of acts.waiting) {
    if (!state || fields.table !== table || !(fields.minutes || fields.other) || gone.includes(id)) continue;
    const chip = Object.assign(document.createElement("span"), { className: "soft time-extra" });
    chip.dataset.waits = "";
    chip.textContent = put(list.dataset.minutes, { minutes: fields.minutes ?? fields.other, reason: fields.reason });
    state.append(chip);
  }
}

function leaveLater() {
  for (const note of /** @type {any} */ (list.children)) {
    const id = note.dataset.act;
    if (!acts.waiting.has(id)) setTimeout(() => note.dataset.act === id && !note.matches(":hover, :focus-within") && note.remove(), LONG);
  }
}

if (acts) {
  addEventListener("submit", submitted, { capture: true });
  document.addEventListener("outbox-changed", () => {
    if (acts.answered === waited) return;
    waited = acts.answered;
    for (const name of ["version-changed", "penalties-changed"]) document.body.dispatchEvent(new Event(name)); // lists and boards show it now
    leaveLater();
  });
}
