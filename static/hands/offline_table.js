// @ts-check
// Going to another table while the desk does not answer: no page can be loaded then, so a panel over this one shows what the laptop
// knows of the table and takes hands for it, in a form like that of the table's own page, which the outbox takes. Other links are held
// back: they would only open the browser's error page.

import { answers, isSilent, newId } from "./outbox_send.js";
import { sameTable } from "./outbox_store.js";
import { put, sayLost, timeOf } from "./outbox_view.js";
import { recall } from "./table_facts.js";

const panel = document.getElementById("away");
const TABLE = /^\/desk\/([^/]+)\/rounds\/(\d+)\/tables\/(\d+)\/$/;
const form = () => panel.querySelector("form.away-line");
const part = (name) => panel.querySelector(`[data-away-${name}]`);

let shown = null; // the facts of the table that the panel shows
let opener = null;

const isAway = () => Boolean(panel) && !panel.hidden;

const typed = () => [...form().elements].some((field) => field.type !== "hidden" && field.name && field.value.trim());

function placeOfUrl(href) {
  const { pathname, search } = new URL(href, location.href);
  const found = search ? null : TABLE.exec(pathname);
  return found && { event: decodeURIComponent(found[1]), round: Number(found[2]), table: Number(found[3]) };
}

// ------------------------------------------------ going there

// Opens an address; if the desk does not answer, shows what is known of the table `place` instead.
export async function goTo(href, place = placeOfUrl(href)) {
  if (!panel || !place) {
    if (await answers()) location.assign(href);
    else sayLost("page");
    return;
  }
  const back = () => {
    if (isSame(place) && !typed() && !waits()) location.assign(href);
  }; // it was slow, not silent
  if (await answers(back)) location.assign(href);
  else await showTable(place);
}

const isSame = (place) => isAway() && sameTable(shown, place);
const waits = () => panel.querySelectorAll("[data-outbox-here] > li").length > 0;

// Opens the panel of a table; returns whether the laptop knows the table.
export async function showTable(place) {
  const onPage = document.querySelector(
    `#table-page[data-event="${CSS.escape(place.event)}"][data-round="${place.round}"][data-table-number="${place.table}"]`,
  );
  const line = onPage?.querySelector("#line");
  if (line) {
    close();
    line.focus();
    return true;
  }
  const facts = await recall(place);
  if (!facts) {
    sayLost("table", place);
    return false;
  }
  if (!isAway()) opener = document.activeElement;
  furnish();
  draw(facts, true);
  open();
  return true;
}

// The panel is filled on first use, so that its fields do not get in the way of the page's own of the same name.
function furnish() {
  if (form()) return;
  panel.append(document.getElementById("away-room").content.cloneNode(true));
  for (const field of panel.querySelectorAll("[data-name]")) field.name = field.dataset.name;
  panel.querySelector("[data-main]").classList.add("is-main");
}

function open() {
  sayLost("");
  panel.hidden = false;
  document.body.classList.add("is-away");
  sayWhetherBack();
  const field = form().elements.namedItem("line");
  field.dataset.keepFocus = "";
  (form().hidden ? panel.querySelector("h2") : field).focus();
  scrollTo(0, 0);
}

function close() {
  if (!isAway()) return;
  panel.hidden = true;
  shown = null;
  delete panel.dataset.tableNumber;
  document.body.classList.remove("is-away");
  delete form().elements.namedItem("line").dataset.keepFocus;
  document.dispatchEvent(new Event("away-drawn"));
  const jump = document.querySelector("[data-jump] input");
  if (jump) jump.value = "";
  (opener?.isConnected && opener !== document.body ? opener : jump)?.focus();
}

// ------------------------------------------------ what is known

function draw(facts, isOther = false) {
  if (isOther && !isSame(facts)) form().reset();
  shown = facts;
  Object.assign(panel.dataset, { event: facts.event, round: facts.round, tableNumber: facts.table });
  const words = panel.dataset;
  panel.querySelector("h2").textContent = put(words.wordTable, facts);
  part("as-of").textContent = put(words.wordAsOf, { time: timeOf(facts.at) });
  const isOver = facts.stage === "over" || facts.stage === "signed";
  part("hand").textContent = facts.hand || (facts.stage === "over" ? words.wordOver : words.wordSigned);
  part("honba-and-sticks").textContent = facts.honba_and_sticks;
  part("closed").hidden = !isOver;
  part("seats").replaceChildren(...facts.seats.map(seat));
  form().hidden = isOver || !document.querySelector("[data-outbox-none]")?.hidden; // if hands cannot be kept
  form().setAttribute("action", facts.action);
  part("page").href = facts.action;
  const empty = !typed();
  const id = form().elements.namedItem("client_id");
  if (isOther) id.value = newId();
  if (isOther || empty) form().elements.namedItem("expected_seq").value = facts.seq; // a typed hand keeps the row that its typist saw
  document.dispatchEvent(new Event("away-drawn"));
}

function seat(facts, index) {
  const node = document.getElementById("away-seat").content.cloneNode(true).firstElementChild;
  const set = (name, text) => {
    node.querySelector(`[data-part="${name}"]`).textContent = text;
  };
  node.classList.toggle("is-dealer", facts.dealer);
  set("number", index + 1);
  for (const name of ["name", "initial", "wind", "score"]) set(name, facts[name]);
  const sign = node.querySelector('[data-part="sign"] use');
  sign.setAttribute("href", sign.getAttribute("href").replace(/[ESWN]$/, facts.letter));
  node.querySelector('[data-part="sign"]').parentElement.classList.toggle("is-east", facts.letter === "E");
  return node;
}

function sayWhetherBack() {
  if (!isAway()) return;
  part("silent").hidden = !isSilent();
  part("back").hidden = isSilent();
}

// ------------------------------------------------ keys and links

function keyDown(event) {
  if (!isAway() || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const inPanel = panel.contains(event.target);
  const elsewhere = event.target.closest?.("input, select, textarea") && !inPanel;
  if (event.key !== "Escape" || elsewhere) {
    if (event.key === "Enter" && event.target.name === "line" && inPanel && !typed() && !isSilent()) {
      event.preventDefault();
      goTo(shown.action);
    }
    return;
  }
  event.preventDefault();
  if (event.target.value) event.target.value = "";
  else close();
}

function linkOf(event) {
  if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return null;
  const link = event.target.closest?.("a[href]");
  const isOurs = link && link.origin === location.origin && !link.hasAttribute("download") && (!link.target || link.target === "_self");
  if (!isOurs || link.matches("[hx-get], [hx-post]")) return null;
  const isMark = link.hash && link.pathname === location.pathname && link.search === location.search;
  return isMark ? null : link;
}

async function clicked(event) {
  if (event.target.closest?.("[data-away-close]")) close();
  const link = linkOf(event);
  if (!link) return;
  const place = link.dataset.correcting === undefined ? placeOfUrl(link.href) : null;
  if (place && panel) {
    event.preventDefault();
    goTo(link.href, place);
  } else if (mayBeAway()) {
    event.preventDefault();
    if (await answers()) location.assign(link.href);
    else sayLost("page");
  }
}

// A laptop without any network may be the one on which the desk runs: then it answers all the same.
const mayBeAway = () => isSilent() || !navigator.onLine;
const answered = new WeakSet(); // forms that go out now, since the desk has answered

async function submitted(event) {
  const sent = event.target;
  if (answered.delete(sent) || event.defaultPrevented || !mayBeAway() || sent.method === "dialog" || sent.target) return;
  event.preventDefault();
  if (await answers()) {
    answered.add(sent);
    sent.requestSubmit(event.submitter);
  } else sayLost(sent.method === "get" ? "page" : "silent");
}

document.addEventListener("click", clicked);
document.addEventListener("submit", submitted);
if (panel) {
  document.addEventListener("keydown", keyDown);
  document.addEventListener("table-learned", ({ detail }) => {
    if (isSame(detail)) draw(detail);
  });
  for (const name of ["desk-answers", "desk-silent"]) document.addEventListener(name, sayWhetherBack);
}
