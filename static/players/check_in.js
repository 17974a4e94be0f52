// @ts-check
// Check-in: a tick shows at once and goes to the outbox (acts.js), which sends it in order, also later.

import { put } from "../hands/outbox_view.js";
import { Acts } from "../js/acts.js";
import { narrow, wordsOf } from "../js/name_filter.js";

const LIST = "[data-check-list]";
const field = document.querySelector("[data-check-name]");
const list = () => document.getElementById("check-in");
const rows = () => [...document.querySelectorAll(`${LIST} > li`)];
const rowOf = (number) => rows().find((row) => row.dataset.number === number);

const ticked = new Set(); // numbers ticked on this page: their rows stay in the list
let last = null; // the tick that "Undo" takes back

if (field && matchMedia("(pointer: fine)").matches) field.focus(); // on glass the rows are tapped, and a keyboard would cover them

// ------------------------------------------------ drawing

const isHere = (row) => row.querySelector("button").getAttribute("aria-pressed") === "true";

function paint(row, here) {
  const isNew = isHere(row) !== here;
  const button = row.querySelector("button");
  button.setAttribute("aria-pressed", String(here));
  button.name = here ? "gone" : "here";
  button.classList.toggle("is-here", here);
  const parts = document.getElementById("check-marks").content.cloneNode(true);
  button.querySelector(".check-box").replaceChildren(...(here ? parts.querySelector(".check-box").childNodes : []));
  button.querySelector(".state")?.remove();
  if (here) button.append(parts.querySelector(".state"));
  if (!isNew) return; // htmx has settled old classes on it
  count("here", here ? 1 : -1);
  count("missing", here ? -1 : 1);
}

function count(name, more) {
  for (const node of list().querySelectorAll(`[data-count-of="${name}"]`)) node.textContent = String(Number(node.textContent) + more);
}

function say(kind, { name = "", number = "", count = 0 } = {}) {
  const note = document.getElementById(`check-${kind}`).content.cloneNode(true).firstElementChild;
  for (const part of note.querySelectorAll("[data-put]")) part.textContent = put(part.dataset.put, { name, count });
  const undo = note.querySelector("button");
  if (undo) undo.value = number;
  list().querySelector(".check-last").replaceWith(note);
}

const sayLast = () => say(last.here ? "is-here" : "is-gone", last);

function redraw() {
  for (const { here, gone } of acts.fields) {
    const row = rowOf(here ?? gone);
    if (row) paint(row, here !== undefined);
  }
  if (last) sayLast();
  if (field) narrow(LIST, field.value);
}

// ------------------------------------------------ ticking

function tick(row, here) {
  const { number, who, name } = row.dataset;
  const { action, title, saidHere, saidGone } = page.dataset;
  ticked.add(number);
  last = { name, number, here };
  paint(row, here);
  sayLast();
  /** @type {[string, string][]} */
  const fields = [
    [here ? "here" : "gone", number],
    ["who", who],
  ];
  const said = put(here ? saidHere : saidGone, { name });
  acts.take({ lane: `check-in ${who}`, title, said, action, fields });
}

// The player with this number, else those whose names have the words: one is ticked, of several one is tapped.
function tickTyped() {
  const typed = field.value.trim();
  if (!wordsOf(typed).length) return;
  const numbered = rowOf(typed);
  const found = numbered ? [numbered] : narrow(LIST, typed);
  if (found.length !== 1) return say(found.length ? "several" : "nobody", { count: found.length });
  tick(found[0], true);
  field.value = "";
  narrow(LIST, "");
}

function submitted(event) {
  if (!event.target.matches("#check-find, #check-in form")) return;
  if (!Acts.able) return; // it posts as without scripts
  event.preventDefault();
  if (event.target.id === "check-find") return tickTyped();
  const row = rowOf(event.submitter?.value);
  if (row) tick(row, event.submitter.name === "here");
}

const page = document.querySelector(".check-in");
const acts = page && new Acts({ kind: "tick", event: page.dataset.event, part: "check-in", draw: redraw });

if (acts) {
  document.addEventListener("submit", submitted, { capture: true }); // before offline_table.js, which holds forms back without network
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    if (detail.elt.id === "check-in") detail.parameters.keep = [...ticked].join(",");
  });
  field?.addEventListener("input", () => narrow(LIST, field.value));
  redraw();
}
