// @ts-check
// Tables that are ready for the clock, on the grid and on the page of one table: a tick shows at once and goes to the outbox (acts.js).

import { put } from "../hands/outbox_view.js";
import { Acts } from "../js/acts.js";

const page = () => document.getElementById("grid") || document.getElementById("table-page");
const acts = page() && new Acts({ kind: "ready", event: page().dataset.event, part: page().id, draw });

function paint(number, isReady) {
  const button = document.getElementById(`ready-${number}`);
  if (!button) return;
  button.setAttribute("aria-pressed", String(isReady));
  button.name = isReady ? "not_ready" : "ready";
  const mark = button.querySelector(".icon");
  if (!isReady) mark?.remove();
  else if (!mark) button.prepend(document.getElementById("ready-mark").content.cloneNode(true));
}

function draw() {
  for (const { ready, not_ready } of acts.fields) paint(ready ?? not_ready, ready !== undefined);
}

function tapped(event) {
  const button = event.submitter;
  if (!button?.matches("[data-ready]") || !Acts.able) return;
  event.preventDefault(); // before htmx and offline_table.js
  event.stopImmediatePropagation();
  const { name, value, form } = button;
  const said = put(name === "ready" ? form.dataset.wordReady : form.dataset.wordNotReady, { number: value });
  const lane = `ready ${page().dataset.round} ${value}`;
  acts.take({ lane, title: document.title, said, action: form.getAttribute("action"), fields: [[name, value]] });
  draw();
}

if (acts) addEventListener("submit", tapped, { capture: true });
