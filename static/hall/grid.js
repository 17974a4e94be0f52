// @ts-check
// The grid of tables: counts the time since the last entry, narrows to a search, opens filters and print by keys, and shows on each tile
// what waits unsent on this laptop ("outbox-changed") and who is at the table ("presence-changed"). Digits and Esc are handled by desk.js.

import { wordsOf } from "../js/name_filter.js";

const FIELDS = "input, select, textarea, [contenteditable], dialog";
const LONG_AGO = 100; // minutes, as tournament/hall/views.py

const grid = () => document.getElementById("grid");
const search = () => document.getElementById("grid-search");
const cells = () => [...document.querySelectorAll("#grid .tile-cell")];

let now = 0; // the server's time, from clock.js
let unsent = [];
let people = [];

// ------------------------------------------------ time since the last entry

function tell() {
  if (!now) return;
  const words = grid()?.dataset;
  for (const node of document.querySelectorAll("#grid [data-last]")) {
    const minutes = Math.max(0, Math.floor((now - Number(node.dataset.last)) / 60_000));
    const text = minutes < LONG_AGO ? words.wordMinutes.replace("{count}", String(minutes)) : words.wordLong;
    if (node.textContent !== text) node.textContent = text;
  }
}

// ------------------------------------------------ search

function fits(cell, words, number) {
  if (number) return cell.querySelector("[data-table]").dataset.table === number;
  return cell.dataset.fold.split("|").some((name) => words.every((word) => name.includes(word)));
}

function narrow() {
  const text = search()?.value.trim() || "";
  const words = wordsOf(text);
  const number = /^[0-9]+$/.test(text) ? String(Number(text)) : "";
  const show = grid()?.dataset.show;
  for (const cell of cells()) {
    const shown = text ? fits(cell, words, number) : show === "all" || cell.dataset.groups.split(" ").includes(show);
    cell.hidden = !shown;
  }
  const none = document.querySelector("#grid [data-none]");
  if (none) none.hidden = cells().some((cell) => !cell.hidden);
}

function open(event) {
  if (event.target.id !== "grid-find" || !search().value.trim()) return;
  event.preventDefault();
  narrow(); // tiles that have just come are not narrowed yet
  const left = cells().filter((cell) => !cell.hidden);
  if (left.length === 1) location.assign(left[0].querySelector("[data-table]").href);
}

// ------------------------------------------------ signs on the tiles

function sign(table, name, kind, text) {
  const place = document.querySelector(`#grid [data-table="${CSS.escape(table)}"] .tile-signs`);
  if (!place) return;
  const made = document.getElementById(name).content.cloneNode(true).firstElementChild;
  made.classList.add(...kind);
  made.querySelector("span").textContent = text;
  place.append(made);
}

function drawSigns() {
  const here = grid()?.dataset;
  if (!here?.round) return;
  for (const old of document.querySelectorAll("#grid .tile-unsent, #grid .tile-present")) old.remove();
  for (const { event, round, table, waiting, refused } of unsent) {
    if (event !== here.event || String(round) !== here.round) continue;
    if (refused) sign(table, "sign-unsent", ["state", "is-error"], here.wordRefused.replace("{count}", refused));
    const left = waiting - refused;
    if (left) sign(table, "sign-unsent", ["state", "is-warning"], here.wordWaiting.replace("{count}", String(left)));
  }
  for (const person of people) {
    if (String(person.round) !== here.round || !person.table) continue;
    sign(person.table, "sign-present", ["state", person.typing ? "is-typing" : "is-here"], person.name);
    const place = document.querySelector(`#grid [data-table="${person.table}"] .tile-present:last-child`);
    if (place) place.title = person.at;
  }
}

// ------------------------------------------------ paper

function stampPaper() {
  const moment = new Date(now || Date.now());
  const lang = document.documentElement.lang || [];
  for (const node of document.querySelectorAll("[data-printed-at]"))
    node.textContent = moment.toLocaleString(lang, {
      dateStyle: "short",
      timeStyle: "medium",
      timeZone: node.dataset.printedAt, // as the state's own time beside it
    });
}

function keyDown(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.closest?.(FIELDS) || document.querySelector("dialog[open]")) return;
  if (event.key === "p") {
    event.preventDefault();
    window.print();
    return;
  }
  if (event.key === "/") {
    event.preventDefault();
    search()?.focus();
    return;
  }
  const link = /^[a-z]$/.test(event.key) && document.querySelector(`[data-filter-key="${event.key}"]`);
  if (!link) return;
  event.preventDefault();
  link.click();
}

// ------------------------------------------------ two answers that meet

// A filter and a new version may be on their way at once, and the first answer takes the other's target off the page. The answer to a
// filter then goes where the grid is now; a refresh, which may be older and of another filter, is asked for again.
function keepAnswers(asked) {
  asked?.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (asked.isConnected || detail.target !== asked) return;
    if (detail.requestConfig.elt === asked) window.htmx.trigger(document.body, "version-changed");
    else detail.target = grid();
  });
}

// ------------------------------------------------ start

let watched = null;

function settle() {
  if (watched !== grid()) {
    watched = grid();
    keepAnswers(watched);
  }
  tell();
  if (search()?.value.trim()) narrow();
  drawSigns();
}

document.addEventListener("outbox-changed", ({ detail }) => {
  unsent = detail.tables;
  drawSigns();
});
document.addEventListener("presence-changed", ({ detail }) => {
  people = detail.people;
  drawSigns();
});
document.addEventListener("keydown", keyDown);
document.addEventListener("submit", open);
document.addEventListener("input", (event) => {
  if (event.target.id === "grid-search") narrow();
});
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-print-state]")) window.print();
  if (event.target.closest("[data-filter-key]") && search()) search().value = "";
});
document.addEventListener("htmx:afterSettle", settle);
addEventListener("beforeprint", stampPaper);
document.documentElement.classList.add("has-grid"); // what works with this script alone shows from now on
document.addEventListener("clock-tick", ({ detail }) => {
  now = detail.now;
  tell();
});
settle();
