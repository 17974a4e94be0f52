// Keeps the page of a table true while somebody else writes at it. On "version-changed" it asks what came between: where nothing
// is typed the page is fetched anew; where something is, a note says what came, nothing moves, and the numbers under which a hand
// is sent are taken over only when the note has been seen. A question that gets lost is asked again, for no second version will ask
// it. It never sends a hand; the server's 409 stays the last word.

import { show } from "./outbox_page.js";
import { fetchPage } from "./outbox_send.js";
import { isTyped } from "./typed.js";

const page = () => document.getElementById("table-page");
const note = () => document.querySelector("[data-watch-note]");
const isAskedAlready = () => document.getElementById("outbox")?.dataset.mending === "moved"; // the hand's own list said what came between, and the desk asks anew if more came
const SENDING = "#table-page.htmx-request, #table-page [hx-post].htmx-request"; // a hand or a form under way: its answer is the page
const LATER = 1500;

let asking = false;
let again = false;
let outgoing = false; // hands of this table wait here and will be sent: their answers show the table, and nobody is told of their own
let lost = 0; // questions without an answer, one after the other

function isBusy() {
  const here = page();
  const held = document.activeElement;
  const elsewhere = here?.contains(held) && held.matches("input, select, textarea") && !("keepFocus" in held.dataset);
  const opened = here?.querySelector("details.by-form[open], details.more-time[open]") || document.querySelector("dialog[open]");
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
  setTimeout(() => { again = false; look(); }, LATER * 2 ** Math.min(lost, 4));
}

function took(asked, html) {
  if (page() !== asked || outgoing || document.querySelector(SENDING)) lookLater(); // swapped meanwhile, by an answer that may be older than this one
  else if (isBusy()) lay(html);
  else renew(asked);
}

// The answer may be lost, or come when somebody has begun to type or a hand is on its way: then it is looked at again.
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

const all = (root) => [...root.querySelectorAll("input, select, textarea")].filter((field) => field.type !== "hidden" && field.name);
const key = (field) => `${field.form?.id || field.form?.getAttribute("action")} ${field.name} ${field.type === "checkbox" || field.type === "radio" ? field.value : ""}`;

function keep(here) {
  const kept = new Map(all(here).map((field) => [key(field), [field.value, field.checked]]));
  const open = Boolean(here.querySelector("details.by-form[open]"));
  const held = document.activeElement;
  const at = here.contains(held) && held.name ? [key(held), held.selectionStart, held.selectionEnd] : null;
  return { kept, open, at };
}

function putBack(here, { kept, open, at }) {
  for (const field of all(here)) {
    const was = kept.get(key(field));
    if (!was) continue;
    if (field.type === "checkbox" || field.type === "radio") field.checked = was[1];
    else field.value = was[0];
  }
  const form = here.querySelector("details.by-form");
  if (form) form.open = open;
  const target = at && all(here).find((field) => key(field) === at[0]);
  target?.focus({ preventScroll: true });
  if (target && at[1] !== null) try { target.setSelectionRange(at[1], at[2]); } catch { /* no text field */ }
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
  const before = keep(page()); // what was typed while the page was on its way, too
  const line = page().querySelector("#line")?.value || "";
  if (html) show(html);
  putBack(page(), before);
  if (line && !page().querySelector("#line")) sayKept(page(), line);
  readBack();
}

// The table was closed meanwhile: the line has no place any more, so it stands as text.
function sayKept(here, line) {
  const code = document.createElement("code");
  code.textContent = line;
  const kept = document.createElement("p");
  kept.className = "note is-warning";
  kept.append(code);
  here.prepend(kept);
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !note() || isAskedAlready() || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.closest("dialog, button, a, textarea")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  seen();
}, true);
document.addEventListener("htmx:beforeSwap", (event) => { if (event.detail.target?.id === "table-page") note()?.remove(); });
document.addEventListener("htmx:afterSwap", ({ detail: { target } }) => {
  if (target?.id !== "table-page" || !note()) return;
  note().remove(); // it spoke of the page that is gone; what is newer than this one is asked for
  look();
});
document.body.addEventListener("version-changed", look);
document.body.addEventListener("table-behind", look);
document.addEventListener("outbox-changed", ({ detail: { tables } }) => {
  const { event, round, tableNumber } = page()?.dataset || {};
  const mine = tables.find((each) => each.event === event && String(each.round) === round && String(each.table) === tableNumber);
  outgoing = Boolean(mine && mine.waiting > mine.refused);
});
document.addEventListener("visibilitychange", () => { if (!document.hidden) setTimeout(look, 300); });
