// @ts-check
// Draws the hands that wait: all of them in one place on every desk page, those of a table below its line; tells other modules of them.
// All words are in templates/ui/waiting.html.

import { isAct, needsPerson, sameTable, waitingByTable } from "./outbox_store.js";

const box = document.getElementById("outbox");
const words = box?.dataset || {};
const part = (name) => box.querySelector(`[data-outbox-${name}]`);
const SOON = 1000; // a hand that is answered before that is not worth a line
const SOON_HERE = 400;
const LOST = { silent: "lostSilent", "signed-out": "lostSignedOut", error: "lostError", page: "lostPage", table: "lostTable" };

export const put = (text, values) => text.replace(/\{(\w+)\}/g, (_all, name) => values[name]);
/** @param {string | number} moment */
export const timeOf = (moment) =>
  new Date(moment).toLocaleTimeString(document.documentElement.lang || [], { hour: "2-digit", minute: "2-digit" });
const many = (kind, count, acts = false) => {
  if (acts) return put(words[`acts${kind}`], { count });
  return count === 1 ? words[`one${kind}`] : put(words[`many${kind}`], { count });
};

const isHand = (record) => !isAct(record) && !record.action.endsWith("/totals/"); // a sheet is kept as a hand
const [, , slug] = location.pathname.split("/"); // of the event whose page this is

const drawn = new WeakMap(); // list → what it shows
let later = 0;

// A hand that is behind another waits for that one, also if another person typed it.
function stateOf(record, { sending, account }) {
  if (record.n !== undefined && record.n === sending) return "sending";
  if (record.state !== "waiting") return record.state;
  if (record.account !== account) return "other";
  return record.after ? "behind" : "waiting";
}

/**
 * Draw everything. `sending` and `mending` are numbers of hands; `silent`: the desk did not answer; `fresh` gives the milliseconds since
 * a hand was typed on this page, or Infinity.
 * @typedef {import("./outbox_store.js").HandRecord} HandRecord
 * @param {{
 *   records: HandRecord[], sending: number | null, mending: number | null, account: string, signedOut: boolean, silent: boolean,
 *   placeOf: (element: Element) => import("./outbox_store.js").Place | null, fresh: (record: HandRecord) => number,
 * }} now
 */
export function draw(now) {
  if (!box) return;
  clearTimeout(later);
  const old = (limit) => (record) => record.state !== "waiting" || now.fresh(record) >= limit;
  const shown = now.records.filter((record) => record.n !== now.mending).filter(old(SOON)); // what is mended in its form says so there
  drawAll(shown, now);
  for (const list of document.querySelectorAll("[data-outbox-here]")) {
    const place = now.placeOf(list);
    const here = place ? now.records.filter((record) => sameTable(record, place)).filter(old(SOON_HERE)) : [];
    fill(
      list,
      here.filter((record) => record.n !== now.mending),
      now,
    );
  }
  const waits = now.records.flatMap((record) => [SOON, SOON_HERE].map((limit) => limit - now.fresh(record))).filter((wait) => wait > 0);
  if (waits.length) later = setTimeout(() => box.dispatchEvent(new Event("draw-again")), Math.min(...waits) + 20);
}

function drawAll(records, now) {
  const all = part("all");
  const needed = records.filter((record) => needsPerson(record, now.account)).length;
  const sending = !needed && !now.signedOut && !now.silent && records.every((record) => now.fresh(record) < 4 * SOON);
  all.hidden = records.length === 0;
  all.classList.toggle("is-needed", needed > 0 || now.signedOut);
  const text = records.length ? many(sending ? "Sending" : "Waiting", records.length, !records.every(isHand)) : "";
  const head = part("head");
  if (head.textContent !== text) head.textContent = text;
  const asked = records.length === 1 ? words.allNeeded : needed && many("Needed", needed);
  part("needed").textContent = needed ? `: ${asked}` : "";
  part("signed-out").hidden = part("door").hidden = !now.signedOut;
  const next = encodeURIComponent(location.pathname + location.search);
  const door = part("door").firstElementChild;
  door.href = `${door.pathname}?next=${next}`;
  fill(part("list"), records, now);
}

function fill(list, records, now) {
  const items = records.map((record) => ({ ...record, shown: stateOf(record, now) }));
  const signature = JSON.stringify(items);
  list.hidden = !items.length;
  if (drawn.get(list) === signature) return;
  drawn.set(list, signature);
  const held = list.contains(document.activeElement) ? document.activeElement.dataset.act : "";
  const at = held ? document.activeElement.closest("li").dataset.n : "";
  list.replaceChildren(...items.map(item));
  if (held) list.querySelector(`[data-n="${at}"] [data-act="${held}"]`)?.focus();
}

function item(record) {
  const node = document.getElementById("outbox-item").content.cloneNode(true).firstElementChild;
  const get = (name) => node.querySelector(`[data-part="${name}"]`);
  const show = (name, text) => {
    get(name).textContent = text;
    get(name).hidden = !text;
  };
  node.dataset.n = record.n ?? "";
  node.classList.add(`is-${record.shown}`);
  const where = record.title || put(get("where").dataset.words, record);
  get("where").textContent = record.event === slug ? where : `${record.event} · ${where}`;
  get("where").href = record.action;
  show("line", record.line);
  show("kind", record.kind === "correction" ? words.correction : "");
  show("said", record.said);
  show("state", put(get("state").dataset[record.shown], record));
  get("at").dateTime = record.typed_at;
  get("at").textContent = timeOf(record.typed_at);
  lines(get("between"), record.between);
  lines(get("problems"), record.problems);
  const asks = ["refused", "moved", "other"].includes(record.shown);
  get("acts").hidden = !asks;
  node.querySelector('[data-act="again"]').hidden = record.shown === "refused";
  node.querySelector('[data-act="change"]').hidden = record.shown === "other" || isAct(record);
  return node;
}

function lines(node, texts = []) {
  node.hidden = !texts.length;
  const list = node.localName === "ul" ? node : node.querySelector("ul");
  list.replaceChildren(...texts.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
}

let said = "";

// Fires "outbox-changed" (outbox.js) where it differs from what was said last, or `always`.
export function publish(records, account, always = false) {
  const detail = { tables: waitingByTable(records, account), acts: records.filter(isAct) };
  if (!always && JSON.stringify(detail) === said) return;
  said = JSON.stringify(detail);
  document.dispatchEvent(new CustomEvent("outbox-changed", { detail }));
}

// Opens the list of all hands, because a person is needed.
export function openList() {
  if (box) part("all").open = true;
}

// A hidden note must not be found as a note.
function show(note, isSo) {
  note.hidden = !isSo;
  note.classList.toggle("note", isSo);
}

// Says whether this browser cannot keep hands.
export function sayNothingWaits(isSo) {
  show(part("none"), isSo);
}

// Asks before a hand is thrown away.
export function askThrowAway(isFirst, isTick) {
  if (isTick) return confirm(words.throwAct);
  return confirm(isFirst ? words.throwFirst : words.throwAway);
}

// Says that an act of the page was lost: "silent", "signed-out", "error", or that a page or a table cannot be shown: "page", "table"; or nothing.
export function sayLost(kind, values = {}) {
  if (!box) return;
  const note = part("lost");
  show(note, Boolean(kind));
  note.dataset.kind = kind;
  if (kind) note.lastElementChild.textContent = put(words[LOST[kind]], values);
}

const HINTS = { empty: "previewEmpty", silent: "previewSilent", behind: "previewBehind" };

// Says below the line why nothing is read back: it is "empty", the desk "silent", or the hand "behind" others.
export function sayPreview(target, kind) {
  if (!target) return;
  if (kind === "empty") delete target.dataset.outboxHint;
  else target.dataset.outboxHint = kind; // to be read back later
  const hint = Object.assign(document.createElement("p"), { className: "understood-say is-hint", textContent: words[HINTS[kind]] });
  if (target.innerHTML.trim() !== hint.outerHTML) target.replaceChildren(hint); // a reader hears it once
}

// Says below the line that what is typed is no whole hand; where the desk has said what comes next, that stays.
export function sayNoHand(target) {
  if (!target || target.querySelector(".problem")) return;
  const said = Object.assign(document.createElement("p"), { className: "problem", textContent: words.noHand });
  said.dataset.saidOf = lineOf(target);
  const next = target.querySelector("[data-steps-for]");
  if (next) next.prepend(said);
  else target.replaceChildren(said);
}

const lineOf = (target) => target.closest("form")?.elements.namedItem("line")?.value ?? "";

// Says that a question of htmx had no answer, below the line only if it is of the hand there. What was said of this very line since stays:
// the question was asked before it.
export function sayUnanswered({ requestConfig, xhr, target }, isOfHand) {
  if (requestConfig.verb === "get") {
    if (!xhr.status) document.dispatchEvent(new Event("desk-silent"));
    const isSaid = target?.querySelector("[data-said-of]")?.dataset.saidOf === lineOf(target);
    if (isOfHand && target?.matches(".understood") && !xhr.status && !isSaid) sayPreview(target, "silent");
    return;
  }
  sayLost(!xhr.status ? "silent" : [401, 403].includes(xhr.status) ? "signed-out" : "error");
}

export const unknownRefusal = () => words.unknownRefusal;

if (box) {
  let opened = false;
  addEventListener("beforeprint", () => {
    opened = part("all").open;
    part("all").open = true;
  });
  addEventListener("afterprint", () => {
    part("all").open = opened;
  });
  document.addEventListener("desk-answers", () => {
    if (["page", "table"].includes(part("lost").dataset.kind)) sayLost("");
  });
}
