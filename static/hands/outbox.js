// @ts-check
// Hands wait here until the desk has answered. The submit of a form with data-outbox is taken: the hand is kept on this laptop, the form
// is free at once, and the hands go out in order, each under its client_id, one after the other at a table. One that is refused, or that
// others have overtaken, waits for a person. Without IndexedDB forms post as without scripts.
//
// Says "outbox-changed" on the document: {tables: [{event, round, table, waiting, refused}], acts: [record]}: `waiting` counts the hands
// of a table that wait here, `refused` those that need a person, `acts` are other acts that wait. "hand-written" {record, answer} and
// "hand-refused" {record} say what the desk answered. It hears "act-taken" from pages and "hand-wanted" {n}: back into its form.

import { showTable as showAway } from "./offline_table.js";
import * as here from "./outbox_page.js";
import { fetchPage, isSilent, newId, problemsOf, send } from "./outbox_send.js";
import { becameRow, changedTo, isAct, lastOwnRow, nextOf, Store, sameTable, sentAgain, togetherWith, WAITING } from "./outbox_store.js";
import * as view from "./outbox_view.js";
import { learn, recall } from "./table_facts.js";

const box = document.getElementById("outbox");
const account = box?.dataset.account;
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 15_000;

const store = new Store();
const typedHere = new Map(); // client_id → when it was typed on this page
const mine = new Set(); // numbers that this page is sending or has sent
let able = true; // until the store turns out not to open
let taken = []; // not yet written down
const opened = store.open(() => start());
/** @type {Promise<unknown>} */
let writing = opened;
let known = []; // the records as last seen
let mending = null; // the n of the hand that is back in a form
let setAside = ""; // what stood in the line when another hand was put there to be changed
let sending = null;
let draining = false;
let again = false;
let signedOut = false;
let failures = 0;
let timer = 0;

const tabs = "BroadcastChannel" in window ? new BroadcastChannel("hanchan-outbox") : null;

// ------------------------------------------------ taking a hand

function submitted(event) {
  const form = event.target;
  if (!able || event.defaultPrevented || !form.matches?.("form[data-outbox]") || event.submitter?.name === "act") return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!here.isWhole(form, box.dataset.whole)) {
    view.sayNoHand(form.querySelector(".understood")); // it stays in the line: nothing of it waits
    return;
  }
  const fields = here.takeFields(form);
  if (fields) take(form, fields);
}

function take(form, fields) {
  const record = { ...fields, ...here.placeOf(form), ...signed() };
  const n = mending;
  const isMended = n !== null && form === formMended();
  here.clearAll(form, newId);
  if (isMended) {
    mending = null;
    if (setAside && form === here.lineForm()) here.fill(form, { fields: [["line", setAside]] });
    setAside = "";
  }
  queue(record, isMended ? n : null);
}

function queue(record, n) {
  typedHere.set(record.client_id, Date.now());
  taken.push(record);
  writing = writing.then(() => keep(record, n));
  writing.then(drain); // the next hand is written down whether this one is answered or not
  draw();
}

const signed = () => ({ account, who: box.dataset.who, typed_at: new Date().toISOString(), ...WAITING });

// An act has no form to go back to: the page has shown it already, and takes it back if it is refused.
function actTaken({ detail }) {
  queue({ round: 0, table: 0, base: 0, line: "", ...detail, ...signed() }, null);
}

const formMended = () => {
  const record = known.find((each) => each.n === mending);
  return record ? here.formOf(record) : null;
};

// Writes a hand down: a new one behind the others of its table, a changed one in its old place.
async function keep(record, n) {
  const isThere = n !== null && (await store.change(n, (old) => changedTo(old, record), true));
  if (isThere) mine.add(n);
  else mine.add(await store.add({ ...record, base: lastOwnRow(record, record.base) })); // the one before it may be answered already
  taken = taken.filter((each) => each !== record);
  await changed();
}

// ------------------------------------------------ sending

async function drain() {
  if (!box) return;
  if (draining) {
    again = true;
    return;
  }
  draining = true;
  clearTimeout(timer);
  const silent = [];
  for (;;) {
    again = false;
    known = await store.all();
    const record = nextOf(known, account, silent);
    if (!record) break;
    const outcome = await deliver(record);
    failures = ["silent", "signed-out", "later"].includes(outcome) ? failures + 1 : 0;
    if (outcome === "silent" || outcome === "signed-out") break;
    if (outcome === "later") silent.push(record);
  }
  draining = false;
  await changed();
  if (again) drain();
  else plan();
  readHints();
}

function plan() {
  clearTimeout(timer);
  if (!nextOf(known, account)) return;
  const wait = Math.min(FIRST_WAIT * 2 ** Math.min(failures, 5), LONGEST_WAIT);
  timer = setTimeout(drain, wait * (0.7 + 0.6 * Math.random()));
}

async function deliver(record) {
  if (isAct(record)) return deliverActs(togetherWith(known, record));
  const isHere = isOnScreen(record);
  sending = record.n;
  mine.add(record.n);
  draw();
  if (isHere) here.page().classList.add("htmx-request"); // who watches the table waits for the answer
  const { kind, answer } = await send(record, isHere ? here.page().dataset.stamp : "");
  sending = null;
  here.page()?.classList.remove("htmx-request");
  signedOut = kind === "signed-out";
  if (kind === "done") await written(record, answer);
  else if (kind === "refused" || kind === "moved") await notTaken(record, kind, answer);
  return kind;
}

// Acts that follow each other go out in one request: by a slow network a hundred ticks are two answers.
async function deliverActs(records) {
  sending = records[0].n;
  draw();
  const { kind, answer } = await send(records[0], "", records);
  sending = null;
  signedOut = kind === "signed-out";
  if (!["done", "refused", "moved"].includes(kind)) return kind;
  const problems = problemsOf(records, kind, answer, view.unknownRefusal());
  await store.answered(records, problems);
  if ([...problems.values()].some((each) => each.length)) view.openList();
  await changed();
  return kind;
}

const isOnScreen = (record) => sameTable(record, here.whereIs());

async function written(record, answer) {
  learn(answer.facts); // before the record is removed: a page that opens meanwhile looks there
  becameRow(record, record.base ?? 0, answer.seq);
  await store.done(record.n, answer.seq);
  if (answer.page && isOnScreen(record) && here.isPlain()) await showTable(answer.page, record);
  await changed({ written: record });
  document.dispatchEvent(new CustomEvent("hand-written", { detail: { record, answer } }));
}

async function showTable(html, record, options) {
  if (!here.show(html, options)) {
    const whole = await fetchPage(location.pathname); // the page has changed while the hand was on its way
    if (whole && here.isPlain()) here.show(whole, options);
  }
  if (record && location.search && here.whereIs()) history.replaceState(null, "", record.action);
}

const isFree = (form) => form && here.isEmpty(form) && here.isPlain();

// Refused, or the table has moved on: the hand waits for a person, in its form again if nobody has typed on.
async function notTaken(record, kind, answer) {
  const form = here.formOf(record);
  const free = typedHere.has(record.client_id) && isOnScreen(record) && answer.page && isFree(form) && mending === null;
  if (free && answer.goes_on) {
    await store.drop(record.n); // the correction page has it now, and asks for the rest
    showTable(answer.page, null, { lead: true });
    await changed();
    return;
  }
  const problems = answer.problems.length || answer.between.length ? answer.problems : [view.unknownRefusal()];
  const told = { state: kind, problems, between: answer.between, last_seq: answer.last_seq ?? 0 };
  await store.change(record.n, (old) => ({ ...old, ...told, client_id: answer.client_id || old.client_id }));
  if (free && isFree(here.formOf(record))) {
    mending = record.n;
    if (answer.client_id) typedHere.set(answer.client_id, typedHere.get(record.client_id));
    showTable(answer.page, null, { lead: true });
  } else if (!isOnScreen(record) || !here.page().querySelector("[data-outbox-here]")) view.openList(); // no list below the line shows it
  await changed();
  document.dispatchEvent(new CustomEvent("hand-refused", { detail: { record } }));
}

// ------------------------------------------------ a person decides

async function clicked(event) {
  const button = event.target.closest?.("[data-act]");
  const item = button?.closest(".waiting-item");
  const record = item && known.find((each) => each.n === Number(item.dataset.n));
  if (item) await decide(button.dataset.act, record);
  else if (!event.defaultPrevented && event.target.closest?.("a[data-correcting]") && mending !== null) await cancel(event);
}

async function decide(act, record) {
  if (!record) return;
  if (act === "change") return putBack(record);
  if (act === "drop") {
    const isFirst = known.some((each) => each.after === record.n);
    if (!view.askThrowAway(isFirst, isAct(record))) return;
    if (mending === record.n) mending = null;
    await store.drop(record.n);
  } else await store.change(record.n, (old) => sentAgain(old, account), true);
  await changed();
  drain();
}

// Puts a hand into its form to be changed: on the page of its table, or without network in the panel; opens the page if needed.
async function putBack(record) {
  const value = (name) => record.fields.find(([key]) => key === name)?.[1];
  if (!here.formOf(record) && isSilent() && !here.isSheet(record) && !value("hand") && !value("before")) await showAway(record);
  const form = here.formOf(record);
  const fits = form && ["hand", "before"].every((name) => (form.elements.namedItem(name)?.value || undefined) === value(name));
  if (!fits) {
    if (isSilent()) view.sayLost("page");
    else here.openToChange(record, value);
    return;
  }
  if (here.isSheet(record)) {
    form.dataset.outbox = ""; // from here on the outbox sends it: totals.js
    form.hidden = false;
  }
  const line = form.elements.namedItem("line");
  if (line && mending === null) setAside = line.value;
  mending = record.n;
  here.fill(form, record);
  draw();
}

// "Cancel" on a correction that was refused throws it away.
async function cancel(event) {
  const link = event.target.closest("a");
  event.preventDefault();
  await store.drop(mending);
  mending = null;
  location.assign(link.href);
}

// ------------------------------------------------ telling page and tabs

async function changed({ written: gone = null, quiet = false } = {}) {
  known = await store.all();
  if (mending !== null && !known.some((record) => record.n === mending)) mending = null;
  draw();
  view.publish(known, account);
  if (!quiet) tabs?.postMessage({ written: gone && { n: gone.n, event: gone.event, round: gone.round, table: gone.table } });
}

// Another tab has sent a hand of this table: show the table with it.
async function heard({ data: { written: gone } }) {
  await changed({ quiet: true });
  if (!gone || mine.has(gone.n) || !isOnScreen(gone)) return;
  const html = await fetchPage(location.pathname);
  if (html && isOnScreen(gone) && here.isPlain()) here.show(html);
}

function draw() {
  const fresh = (record) => (typedHere.has(record.client_id) ? Date.now() - typedHere.get(record.client_id) : Infinity);
  const ids = new Set(known.map((record) => record.client_id));
  const records = [...known, ...taken.filter((record) => !ids.has(record.client_id))];
  box.dataset.waiting = String(records.length);
  box.dataset.mending = known.find((record) => record.n === mending)?.state || ""; // table_watch.js asks
  view.draw({ records, sending, account, placeOf: here.placeOf, mending, signedOut, silent: failures > 0, fresh });
}

// ------------------------------------------------ say where the network is missing

function behind() {
  const place = here.whereIs();
  const before = (record) => mending === null || record.n < mending;
  return place && [...known, ...taken].some((record) => before(record) && sameTable(record, place));
}

function previewAsked(event) {
  const form = event.target.closest?.("form[data-outbox]");
  if (!form || event.detail.requestConfig?.verb !== "get") return;
  const isFresh = here.isFresh(form);
  if (!isFresh && !behind()) return;
  event.preventDefault(); // the server would read the line as if the hands before it were not there
  view.sayPreview(event.detail.target, isFresh ? "empty" : isSilent() ? "silent" : "behind");
}

function unanswered(event) {
  view.sayUnanswered(event.detail, here.isOfHand(event.detail));
}

// Reads a line back that could not be read without network, or says that it is behind others.
function readHints() {
  if (isSilent()) return;
  for (const hint of document.querySelectorAll("form[data-outbox] .understood[data-outbox-hint]")) {
    if (!behind()) here.readAgain(hint);
    else if (hint.dataset.outboxHint === "silent") view.sayPreview(hint, "behind");
  }
}

function deskAnswers() {
  readHints();
  if (!known.length) return;
  failures = 0;
  drain();
}

// The scripts that hear of it have run by then: theirs come after this one, and may take longer than all that is awaited here.
const ready = new Promise((done) => {
  document.addEventListener("DOMContentLoaded", done, { once: true });
});

async function start() {
  await opened;
  able = store.db !== null;
  view.sayNothingWaits(!able);
  await writing;
  await changed({ quiet: true });
  const mark = /^#outbox-(\d+)$/.exec(location.hash);
  const record = mark && known.find((each) => each.n === Number(mark[1]));
  if (mark) history.replaceState(null, "", location.pathname + location.search);
  if (record && isOnScreen(record) && here.formOf(record)) putBack(record);
  drain();
  const place = here.whereIs();
  const last = place && (await recall(place));
  await ready;
  // another page of this laptop knows of a row that this page does not show
  if (last && last.seq > Number(here.page()?.dataset.seq ?? last.seq)) document.body.dispatchEvent(new Event("table-behind"));
}

function awayDrawn() {
  if (mending !== null && !formMended()) mending = null;
  draw();
}

if (box) {
  document.addEventListener("submit", submitted, { capture: true }); // behind the window's listeners: a reason is asked for first
  document.addEventListener("act-taken", actTaken);
  document.addEventListener("hand-wanted", ({ detail: { n } }) =>
    decide(
      "change",
      known.find((record) => record.n === n),
    ),
  );
  document.addEventListener("click", clicked);
  document.addEventListener("htmx:beforeRequest", previewAsked);
  for (const failure of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) document.addEventListener(failure, unanswered);
  document.addEventListener("htmx:afterRequest", (event) => {
    if (!event.detail.successful) return;
    view.sayLost("");
    if (isSilent()) document.dispatchEvent(new Event("desk-answers"));
  });
  document.addEventListener("DOMContentLoaded", here.readEarly); // after htmx, which hears every key from here on
  document.addEventListener("away-drawn", awayDrawn);
  document.addEventListener("htmx:afterSwap", draw);
  document.addEventListener("desk-answers", deskAnswers);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) deskAnswers();
  });
  addEventListener("online", deskAnswers);
  addEventListener("pageshow", (event) => {
    if (event.persisted) deskAnswers();
  });
  addEventListener("beforeunload", (event) => {
    if (store.unsafe || taken.length) event.preventDefault();
  });
  addEventListener("load", () => view.publish(known, account, true)); // for modules that listen only now
  box.addEventListener("draw-again", draw);
  tabs?.addEventListener("message", heard);
  document.documentElement.classList.add("has-outbox");
  start();
}
