// @ts-check
// Check-in: a tick shows at once and goes to the outbox (outbox.js), which sends it in order, also later. The list that the desk answers
// with is older than ticks that are on their way: they are drawn into it again.

import { newId } from "./outbox_send.js";
import { put } from "./outbox_view.js";
import { narrow, wordsOf } from "./pick.js";

const LIST = "[data-check-list]";
const field = document.querySelector("[data-check-name]");
const list = () => document.getElementById("check-in");
const rows = () => [...document.querySelectorAll(`${LIST} > li`)];
const rowOf = (number) => rows().find((row) => row.dataset.number === number);

const onTheWay = new Map(); // client_id → {number, here, kept: whether the outbox has said that it has it}
const ticked = new Set(); // numbers ticked on this page: their rows stay, whoever the list shows
let answered = 0; // how many ticks the desk has answered
let asked = 0; // and how many when the list was last asked for
let last = null; // the tick that "Undo" takes back

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
  for (const [name, more] of [["here", 1], ["missing", -1]])
    for (const count of list().querySelectorAll(`[data-count-of="${name}"]`))
      count.textContent = String(Number(count.textContent) + (here ? more : -more));
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
  for (const { number, here } of onTheWay.values()) {
    const row = rowOf(number);
    if (row) paint(row, here);
  }
  if (last) sayLast();
  if (field) narrow(LIST, field.value);
}

// ------------------------------------------------ ticking

function tick(row, here) {
  const { number, who, name } = row.dataset;
  const { action, event, title, saidHere, saidGone } = document.querySelector(".check-in").dataset;
  const client_id = newId();
  onTheWay.set(client_id, { number, here, kept: false });
  ticked.add(number);
  last = { name, number, here };
  paint(row, here);
  sayLast();
  const fields = [[here ? "here" : "gone", number], ["who", who]];
  const said = put(here ? saidHere : saidGone, { name });
  const detail = { event, lane: `check-in ${who}`, kind: "tick", title, said, action, fields, client_id };
  document.dispatchEvent(new CustomEvent("act-taken", { detail }));
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
  if (!document.documentElement.classList.contains("has-outbox")) return; // it posts as without scripts
  event.preventDefault();
  if (event.target.id === "check-find") return tickTyped();
  const row = rowOf(event.submitter?.value);
  if (row) tick(row, event.submitter.name === "here");
}

// ------------------------------------------------ what the outbox and the desk say

function outboxChanged({ detail: { acts } }) {
  const { event } = document.querySelector(".check-in").dataset;
  const ours = acts.filter((act) => act.kind === "tick" && act.event === event);
  const waiting = ours.filter((act) => act.state === "waiting");
  const refused = ours.length - waiting.length;
  for (const { client_id, fields } of waiting) {
    const { here, gone } = Object.fromEntries(fields);
    onTheWay.set(client_id, { number: here ?? gone, here: here !== undefined, kept: true });
  }
  const before = onTheWay.size;
  for (const [id, { kept }] of onTheWay) if (kept && !waiting.some((act) => act.client_id === id)) onTheWay.delete(id);
  answered += before - onTheWay.size;
  if (refused && before > onTheWay.size) askAgain();
  redraw();
}

const askAgain = () => document.body.dispatchEvent(new Event("version-changed"));

if (document.querySelector(".check-in")) {
  document.addEventListener("submit", submitted, { capture: true }); // before away.js, which holds forms back without network
  document.addEventListener("outbox-changed", outboxChanged);
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    if (detail.elt.id !== "check-in") return;
    asked = answered;
    detail.parameters.keep = [...ticked].join(",");
  });
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.target.id !== "check-in" || asked === answered) return;
    detail.shouldSwap = false; // asked for before the desk had a tick that it has by now
    setTimeout(askAgain);
  });
  for (const name of ["htmx:afterSwap", "htmx:afterSettle"]) document.addEventListener(name, redraw);
  field?.addEventListener("input", () => narrow(LIST, field.value));
  if (field && matchMedia("(pointer: fine)").matches) field.focus(); // on a phone rows are tapped, and no keyboard covers them
  redraw();
}
