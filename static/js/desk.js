// @ts-check
// The desk's keyboard. A digit typed outside a field goes to "Table", Enter opens that table (offline_table.js without network); the hand line keeps
// the focus when a fragment is swapped under it; the list of calls is not refreshed while somebody types a ruling,
// and no refresh is lost.

import { goTo } from "../hands/offline_table.js";
import "./progress.js";
import "./palette.js";

const jump = document.querySelector("[data-jump]");
const jumpInput = jump?.querySelector("input");
const line = () => document.querySelector("[data-keep-focus]");
const FIELDS = "input, select, textarea, [contenteditable]";

function openTable(event) {
  const number = jumpInput.value.trim();
  const tile = document.querySelector(`[data-table="${CSS.escape(number)}"]`);
  const { event: slug, round } = jump.dataset;
  event.preventDefault();
  const isHands = round && !jump.action.endsWith("/totals/"); // sheets are typed on their own page only
  const place = isHands ? { event: slug, round: Number(round), table: Number(number) } : null;
  const gone = tile ? goTo(tile.href) : goTo(`${jump.action}?table=${encodeURIComponent(number)}`, place);
  gone.then(() => {
    jumpInput.value = "";
  }); // if this page has stayed, the next number starts empty
}

function backTo(target) {
  target?.focus();
  target?.select?.();
}

function keyDown(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const inField = event.target.closest?.(FIELDS);
  if (event.key === "Escape" && inField === jumpInput) {
    jumpInput.value = "";
    backTo(line() || document.getElementById("main"));
  } else if (event.key === "Escape" && inField && inField === line() && !inField.value) {
    backTo(jumpInput);
  } else if (event.key === "Escape" && inField && inField === line()) {
    inField.value = "";
    inField.dispatchEvent(new Event("input", { bubbles: true }));
  } else if (!inField && jumpInput && /^[0-9]$/.test(event.key)) {
    jumpInput.value = "";
    jumpInput.focus(); // the digit itself then lands in the field
  } else if (!inField && event.key === "/" && line()) {
    event.preventDefault();
    backTo(line());
  }
}

if (!document.querySelector("main [autofocus]")) document.querySelector('main [aria-invalid="true"]')?.focus(); // the first one that was refused

if (jump) jump.addEventListener("submit", openTable);
document.addEventListener("keydown", keyDown);

// A half-typed line outlives a reload, as long as no hand was entered at the table meanwhile.
const handLine = () => document.querySelector("#line[data-keep-focus]");
const keptAs = () => `line ${location.pathname}${location.search} ${handLine()?.form?.querySelector("[name=expected_seq]")?.value}`;
let sent = "";
document.addEventListener("submit", (event) => {
  if (handLine() && event.target === handLine().form) sent = handLine().value;
});
addEventListener("pagehide", () => {
  const typed = handLine()?.value;
  if (typed && typed !== sent && typed !== handLine().defaultValue) sessionStorage.setItem(keptAs(), typed);
});
addEventListener("load", () => {
  const typed = sessionStorage.getItem(keptAs());
  sessionStorage.removeItem(keptAs());
  if (!typed || !handLine() || handLine().value) return;
  handLine().value = typed;
  handLine().dispatchEvent(new Event("input", { bubbles: true }));
});

let held = false;
let caret = null;
document.addEventListener("htmx:beforeSwap", () => {
  const input = line();
  held = Boolean(input) && document.activeElement === input;
  caret = held ? [input.selectionStart, input.selectionEnd] : null;
});
document.addEventListener("htmx:afterSettle", () => {
  const input = line();
  const elsewhere = document.activeElement && document.activeElement !== document.body;
  if (!held || !input || elsewhere) return; // give back only a focus that the swap took away
  input.focus({ preventScroll: true });
  if (caret && input.value.length >= caret[1]) input.setSelectionRange(caret[0], caret[1]);
});

function isTypingRuling() {
  const fields = [...document.querySelectorAll("#calls input[type=text]")];
  return fields.some((field) => field === document.activeElement || field.value !== field.defaultValue);
}

document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.elt.id === "calls" && isTypingRuling()) event.preventDefault();
});

// A part that replaces itself loses what htmx has queued for it. So what comes while an answer is on the way is remembered here, before
// htmx hears of it, and the parts are asked for once more when the last answer has come.
const REFRESHES = ["version-changed", "penalties-changed", "clock-signal"];
const refreshing = () => document.querySelector(".htmx-request[hx-trigger*='from:body']");
let missed = "";
for (const name of REFRESHES) {
  document.addEventListener(name, () => (missed = refreshing() ? name : missed), true);
}
document.addEventListener("htmx:afterRequest", () => {
  if (!missed || refreshing()) return;
  const event = new CustomEvent(missed, { bubbles: true });
  missed = "";
  document.body.dispatchEvent(event);
});
