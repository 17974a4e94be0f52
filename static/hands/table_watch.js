// @ts-check
// Keeps the page of a table up to date while somebody else enters hands there. On "version-changed" it asks what came between: if nothing
// is typed the page is fetched again; otherwise a note says what came, nothing moves, and the page is replaced under what is typed only
// when the note has been seen. A lost question is asked again, as no second "version-changed" will come for it.

import { isTyped, show, whereIs } from "./outbox_page.js";
import { fetchPage } from "./outbox_send.js";
import { sameTable } from "./outbox_store.js";

const page = () => document.getElementById("table-page");
const note = () => document.querySelector("[data-watch-note]");
const isAskedAlready = () => document.getElementById("outbox")?.dataset.mending === "moved"; // the list of hands that wait says what came between
const SENDING = "#table-page.htmx-request, #table-page [hx-post].htmx-request"; // a hand or a form under way: its answer brings the page
const LATER = 1500;

let asking = false;
let again = false;
let outgoing = false; // hands of this table wait here: their answers will show the table
let lost = 0; // questions without an answer, one after the other

function isBusy() {
  const here = page();
  const held = document.activeElement;
  const elsewhere = here?.contains(held) && held.matches("input, select, textarea") && !("keepFocus" in held.dataset);
  const opened = here?.querySelector("details.more-time[open]") || document.querySelector("dialog[open]");
  return Boolean(elsewhere || opened || /[?&](correct|void|before)=/.test(location.search) || isTyped(here));
}

async function look() {
  const here = page();
  if (!here?.dataset.between || document.hidden) return;
  if (asking || outgoing || document.querySelector(SENDING)) {
    lookLater();
    return;
  }
  asking = true;
  try {
    const mine = here.querySelector("#hand-line [name=client_id]")?.value || "";
    const query = new URLSearchParams({ since: here.dataset.seq, stamp: here.dataset.stamp, mine });
    const response = await fetch(`${here.dataset.between}?${query}`, { credentials: "same-origin", cache: "no-store" });
    if (response.status >= 500) throw new Error(`status ${response.status}`);
    lost = 0;
    if (response.status === 200 && !response.redirected) took(here, await response.text());
  } catch {
    lost += 1;
    lookLater();
  } finally {
    asking = false;
  }
}

function lookLater() {
  if (again) return;
  again = true;
  setTimeout(
    () => {
      again = false;
      look();
    },
    LATER * 2 ** Math.min(lost, 4),
  );
}

function took(asked, html) {
  if (page() !== asked || outgoing || document.querySelector(SENDING))
    lookLater(); // swapped meanwhile, perhaps by an older answer
  else if (isBusy()) lay(html);
  else renew(asked);
}

// If the answer is lost, or comes when somebody has begun to type or a hand is on its way, looks again later.
async function renew(asked) {
  const html = await fetchPage(location.pathname + location.search);
  if (html && page() === asked && !isBusy() && !outgoing && !document.querySelector(SENDING)) {
    lost = 0;
    note()?.remove();
    show(html);
  } else {
    lost += html ? 0 : 1;
    lookLater();
  }
}

function lay(html) {
  const fresh = document.createRange().createContextualFragment(html).querySelector("[data-watch-note]");
  if (!fresh || note()?.dataset.stamp === fresh.dataset.stamp) return;
  note()?.remove();
  document.body.append(fresh);
  fresh.querySelector("[data-watch-seen]").addEventListener("click", seen);
}

// Reads the kept line back as the table is now.
function readBack() {
  const line = page()?.querySelector("#line");
  const url = line?.getAttribute("hx-get");
  if (url && line.value) window.htmx.ajax("GET", url, { source: line, target: "#understood", swap: "innerHTML" }).catch(() => {}); // said by htmx
}

async function seen() {
  note()?.remove();
  const html = await fetchPage(location.pathname + location.search);
  const line = page().querySelector("#line")?.value || "";
  if (html) show(html);
  if (line && !page().querySelector("#line")) sayKept(page(), line);
  readBack();
}

// The table was closed meanwhile and has no line any more: shows what was typed as text.
function sayKept(here, line) {
  const code = document.createElement("code");
  code.textContent = line;
  const kept = document.createElement("p");
  kept.className = "note is-warning";
  kept.append(code);
  here.prepend(kept);
}

document.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Enter" || !note() || isAskedAlready() || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.closest("dialog, button, a, textarea")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    seen();
  },
  true,
);
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target?.id === "table-page") note()?.remove();
});
document.addEventListener("htmx:afterSwap", ({ detail: { target } }) => {
  if (target?.id !== "table-page" || !note()) return;
  note().remove(); // it was about the page that is gone
  look();
});
document.body.addEventListener("version-changed", look);
document.body.addEventListener("table-behind", look);
document.addEventListener("outbox-changed", ({ detail: { tables } }) => {
  const mine = tables.find((each) => sameTable(each, whereIs()));
  outgoing = Boolean(mine && mine.waiting > mine.refused);
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) setTimeout(look, 300);
});
