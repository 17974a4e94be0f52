// @ts-check
// The pile of sheets and its sheets by the numeric keypad, without loading a page: Enter goes to the next number and sends from the last,
// / to a player's loan, * to the riichi sticks left. A sheet goes to the outbox (outbox.js) and the pile goes on at once; one that the desk
// refuses comes back with what was typed. The sheets that are due are asked for ahead, so that they open without network, too. Keys typed
// before a page is there are held and then typed into it.

import { whereIs } from "../hands/outbox_page.js";
import { sameTable } from "../hands/outbox_store.js";
import { put, sayLost } from "../hands/outbox_view.js";

const PAGE = /\/rounds\/\d+\/(tables\/\d+\/)?totals\/$/;

const sheet = () => /** @type {HTMLFormElement | null} */ (document.getElementById("totals"));
const pile = () => document.getElementById("pile");
const pileField = () => /** @type {HTMLInputElement | null} */ (document.getElementById("pile-table"));
const counts = () => [...(sheet()?.querySelectorAll("[data-count]") ?? [])];
const go = (field) => {
  field?.focus();
  field?.select?.();
};

// ------------------------------------------------ pages without loading

const ahead = new Map(); // address of a sheet → its page, asked for before it is opened
let pilePage = ""; // the pile as the desk last gave it
let going = ""; // the address that is on its way
let held = []; // keys typed meanwhile
let asking = false;

async function fetchPage(address) {
  try {
    const response = await fetch(address, { credentials: "same-origin", cache: "no-store" });
    document.dispatchEvent(new Event("desk-answers"));
    return response.ok ? { html: await response.text(), address: response.url } : null;
  } catch {
    document.dispatchEvent(new Event("desk-silent"));
    return null;
  }
}

const read = (html) => new DOMParser().parseFromString(html, "text/html");
const isUntouched = () => (sheet() ? counts().every((field) => field.value === field.defaultValue) : !pileField()?.value);
const pathOf = (address) => new URL(address, location.href).pathname;

function show(html, address, { replace = false } = {}) {
  const fresh = read(html);
  const main = fresh.getElementById("main");
  document.getElementById("main").replaceWith(document.adoptNode(main));
  document.title = fresh.title;
  history[replace ? "replaceState" : "pushState"]({ pile: true }, "", address);
  htmx.process(main);
  waited = false;
  started();
}

async function visit(address) {
  const kept = ahead.get(pathOf(address));
  ahead.delete(pathOf(address)); // each page has a client_id of its own
  if (kept) {
    going = "";
    show(kept, address);
    typeHeld();
    renew(address);
    return;
  }
  going = address;
  const found = await fetchPage(address);
  if (going !== address) return;
  going = "";
  if (found) show(found.html, found.address);
  else sayLost("page");
  if (!found) held = [];
  typeHeld();
}

// A sheet that was asked for ahead may be older than what others have typed.
async function renew(address) {
  const found = await fetchPage(address);
  const isHere = pathOf(address) === location.pathname && sheet() && isUntouched();
  if (found && isHere && !read(found.html).getElementById("totals")) show(found.html, address, { replace: true });
}

function visitPile() {
  const { event, round, tableNumber } = document.getElementById("table-page").dataset;
  const address = `/desk/${event}/rounds/${round}/totals/?after=${tableNumber}`;
  if (!pilePage) return visit(address);
  show(pilePage, address);
  pile().dataset.after = tableNumber;
  drawPile();
  renewPile();
}

function typeHeld() {
  while (held.length && !going) press(held.shift());
}

function press(key) {
  const field = /** @type {any} */ (document.activeElement);
  if (act(key, field) || field?.localName !== "input") return;
  const { selectionStart: from, selectionEnd: to } = field;
  if (key === "Backspace") field.setRangeText("", from === to ? Math.max(0, from - 1) : from, to, "end");
  else field.setRangeText(key, from, to, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

// ------------------------------------------------ the pile

const entered = new Set(); // tables whose sheet the desk has by now, though the list may not say so
const waiting = new Set(); // tables whose sheet waits on this laptop
let renewing = false;
let renewAgain = false;

function drawPile() {
  const box = pile();
  if (!box) return;
  const links = [...box.querySelectorAll("a[data-number]")];
  const kept = box.querySelector(".pile").dataset.kept;
  for (const link of links) {
    const number = Number(link.dataset.number);
    if (!entered.has(number) && !waiting.has(number)) continue;
    delete link.dataset.due;
    if (waiting.has(number)) link.querySelector("[data-words]").textContent = kept;
  }
  const due = links.filter((link) => "due" in link.dataset).map((link) => Number(link.dataset.number));
  const next = due.find((number) => number > Number(box.dataset.after)) ?? due[0];
  const said = document.getElementById("pile-said");
  const { many, one, none } = said.dataset;
  said.textContent = put(!due.length ? none : due.length === 1 ? one : many, { number: next, count: due.length });
  pileField().placeholder = next ? String(next) : "";
  for (const link of links) {
    if (Number(link.dataset.number) === next) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

async function renewPile() {
  if (renewing) {
    renewAgain = true;
    return;
  }
  renewing = true;
  const known = [...entered];
  const found = await fetchPage(pathOf(pile() ? location.href : document.querySelector("[data-pile]")?.href || location.href));
  renewing = false;
  if (!found || !PAGE.test(pathOf(found.address))) return;
  pilePage = found.html;
  for (const number of known) entered.delete(number);
  if (pile()) {
    const fresh = read(found.html);
    for (const part of ["#pile-in", "#pile-release", ".pile"]) pile().querySelector(part).replaceWith(fresh.querySelector(part));
    const isOver = pile().querySelector("#pile-release a") !== null; // then the release is the main act
    pile().querySelector(".pile-next .button").classList.toggle("is-main", !isOver);
    drawPile();
  }
  askAhead();
  if (renewAgain) {
    renewAgain = false;
    renewPile();
  }
}

async function askAhead() {
  if (asking) return;
  asking = true;
  const due = [...read(pilePage).querySelectorAll(".pile a[data-due]")].map((link) => link.getAttribute("href"));
  for (const address of due) {
    const number = Number(/tables\/(\d+)\//.exec(address)[1]);
    if (ahead.has(address) || entered.has(number) || waiting.has(number) || address === location.pathname) continue;
    const found = await fetchPage(address);
    if (!found) break;
    ahead.set(address, found.html);
  }
  asking = false;
}

function openTyped() {
  const field = pileField();
  const number = field.value.trim() || field.placeholder;
  const link = pile().querySelector(`a[data-number="${CSS.escape(number)}"]`);
  visit(link ? link.href : `${location.pathname}?table=${encodeURIComponent(number)}`);
}

// ------------------------------------------------ keys of a sheet

function onward(from) {
  const fields = counts();
  const open = fields.slice(from).find((field) => !field.value.trim()) || fields.find((field) => !field.value.trim());
  if (open) go(open);
  else sheet().requestSubmit(document.getElementById("totals-send"));
}

const seatOf = (field) => Number(field.name.split("-")[1]);

function enter(field) {
  const at = counts().indexOf(field);
  const next = counts()[at + 1];
  if (at >= 0 && next) go(next);
  else onward(field.matches("[data-loan]") ? seatOf(field) + 1 : 0);
}

// Does what a key means in a field of the pile or of a sheet; returns whether it means anything there.
function act(key, field) {
  if (field?.id === "pile-table" && key === "Enter") openTyped();
  else if (!field?.matches?.("[data-count], [data-loan], [data-leftover]")) return false;
  else {
    const at = counts().indexOf(field);
    if (key === "Enter") enter(field);
    else if (key === "/" && at >= 0) go(sheet().querySelector(`[name="loan-${seatOf(field)}"]`));
    else if (key === "*") go(sheet().querySelector("[data-leftover]"));
    else if (key === "ArrowDown" && at >= 0) go(counts()[Math.min(at + 1, counts().length - 1)]);
    else if (key === "ArrowUp" && at > 0) go(counts()[at - 1]);
    else return false;
  }
  return true;
}

function keyDown(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const isText = event.key.length === 1 || ["Enter", "Backspace"].includes(event.key);
  if (going && isText) held.push(event.key);
  else if (!act(event.key, event.target)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

// ------------------------------------------------ sending

function submitted(event) {
  const form = event.target;
  if (form.matches(".pile-next")) {
    event.preventDefault();
    openTyped();
    return;
  }
  if (form !== sheet() || event.submitter?.name === "switch" || !document.documentElement.classList.contains("has-outbox")) return;
  form.dataset.outbox = ""; // the outbox looks next, and takes it
  const { tableNumber } = document.getElementById("table-page").dataset;
  going = "the pile"; // what is typed until then is held
  setTimeout(() => {
    going = "";
    if (!event.defaultPrevented) return; // it has no place to keep a sheet: the form posts
    waiting.add(Number(tableNumber));
    visitPile();
    typeHeld();
  });
}

const isOurs = ({ event, round }) => {
  const here = (pile() || document.getElementById("table-page"))?.dataset;
  return here && event === here.event && round === Number(here.round);
};

function written({ detail: { record, answer } }) {
  if (!isOurs(record)) return;
  entered.add(record.table);
  waiting.delete(record.table);
  const note = document.querySelector("[data-pile-entered]");
  if (answer.stay && pile() && isUntouched()) visit(answer.stay);
  else if (answer.said && note) {
    note.lastElementChild.textContent = answer.said;
    note.hidden = false;
  }
  renewPile();
}

async function refused({ detail: { record } }) {
  if (!isOurs(record)) return;
  waiting.delete(record.table);
  if (!pile() || !isUntouched() || going) return drawPile();
  await visit(record.action);
  document.dispatchEvent(new CustomEvent("hand-wanted", { detail: { n: record.n } }));
}

// While the outbox has the sheet of this page there is nothing to type here; when the desk has it, the pile goes on.
let waited = false;
function outboxChanged({ detail: { tables } }) {
  waiting.clear();
  for (const each of tables) if (isOurs(each) && each.waiting > each.refused) waiting.add(each.table);
  drawPile();
  const kept = document.querySelector("[data-totals-kept]");
  if (!kept) return;
  const mine = tables.find((each) => sameTable(each, whereIs()));
  kept.hidden = !mine || Boolean(mine.refused);
  if (mine && !mine.refused && !waited && sheet()) sheet().hidden = true;
  if (!mine && waited) visitPile();
  waited = Boolean(mine) && !mine.refused;
}

function clicked(event) {
  const link = event.target.closest?.("#main a[href]");
  const isPlain = !event.button && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!link || !isPlain || link.origin !== location.origin || !PAGE.test(link.pathname)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  visit(link.href);
}

// Puts what a likely cause says into its field, to be held against the paper.
function repair(button) {
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById(button?.dataset.repair));
  if (!field) return;
  field.value = button.value;
  go(field);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

function started() {
  const first = document.querySelector("#main [autofocus]");
  if (first) go(first); // what is wrong is overtyped, not added to
}

document.documentElement.classList.add("has-totals"); // the keys that work with this script alone show from now on
addEventListener("submit", submitted, { capture: true }); // before the outbox looks
addEventListener("keydown", keyDown, { capture: true }); // before desk.js takes digits
addEventListener("click", clicked, { capture: true });
document.addEventListener("click", ({ target }) => repair(/** @type {Element} */ (target).closest?.("[data-repair]")));
document.addEventListener("keydown", (event) => {
  if (event.code === "KeyK" && event.altKey && !event.ctrlKey && !event.metaKey) repair(document.querySelector("[data-repair]"));
});
addEventListener("popstate", () => location.reload());
document.addEventListener("outbox-changed", outboxChanged);
document.addEventListener("hand-written", written);
document.addEventListener("hand-refused", refused);
document.addEventListener("change", ({ target }) => {
  if (target === sheet()) counts()[0]?.dispatchEvent(new Event("input", { bubbles: true })); // a sheet that came back is read again
});
started();
renewPile();
