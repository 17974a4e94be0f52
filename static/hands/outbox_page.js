// @ts-check
// The form of a table's page: take what is typed out of a form, put a hand back into it, and swap the table under somebody who types
// on without losing a key.

import { sameTable } from "./outbox_store.js";
import { sayPreview } from "./outbox_view.js";

const HAND_PAGE = "table-page";
const TICKS = new Set(["checkbox", "radio"]);
const NEVER_TYPED = new Set(["hidden", "submit", "button", "search"]);
const OURS = new Set(["csrfmiddlewaretoken", "client_id", "expected_seq", "plan", "exchanged"]);

export const page = () => document.getElementById(HAND_PAGE);
export const lineForm = () => document.querySelector("#hand-line[data-outbox]");
export const totalsForm = () => document.getElementById("totals");
export const isSheet = (record) => record.fields.some(([name]) => name === "count-0");
const awayForm = () => document.querySelector("#away:not([hidden]) form.away-line");

// Returns the form of this page, or of the panel over it, that a record belongs in, or null.
export function formOf(record) {
  const value = (name) => record.fields.find(([key]) => key === name)?.[1];
  if (isSheet(record)) return isAt(totalsForm(), record);
  return isAt(lineForm(), record) || (value("hand") || value("before") ? null : isAt(awayForm(), record));
}

const isAt = (form, record) => (sameTable(placeOf(form), record) ? form : null);

// Returns {event, round, table} of the page or panel that has an element, or null.
export function placeOf(element) {
  const { event, round, tableNumber } = element?.closest("[data-table-number]")?.dataset || {};
  return tableNumber ? { event, round: Number(round), table: Number(tableNumber) } : null;
}

// Returns {event, round, table} of the hand page, or null on any other page.
export const whereIs = () => placeOf(page());

const visible = (form) => [...form.elements].filter((control) => control.name && control.type !== "hidden" && control.type !== "submit");

// Returns whether a form has nothing typed or ticked.
export function isEmpty(form) {
  return visible(form).every((control) => (TICKS.has(control.type) ? !control.checked : !control.value.trim()));
}

// Returns whether the line of a form may be a whole hand by the server's pattern (scoring/shorthand.py); a form without a line may.
export function isWhole(form, pattern) {
  const line = form.elements.namedItem("line")?.value.normalize("NFKC").replaceAll("−", "-").trim();
  if (!line || line.startsWith("=")) return true;
  const tiles = line.replace(/\[[^[\]]*\]/g, "[0]");
  const plain = tiles.split("#")[0].toLowerCase().replace(/\s/g, "");
  return new RegExp(`^(?:${pattern})$`).test(plain.replace(/!\d+(\+\d+)*/, ""));
}

// Returns whether a form waits for the next hand, with nothing in its line: then there is nothing to ask the desk.
export const isFresh = (form) => form.elements.namedItem("line")?.value.trim() === "" && isPlain();

// Returns whether an answer or a failure of htmx is about the hand in the form: the line has changed by a key, the client_id since it was sent.
export function isOfHand({ target, requestConfig }) {
  const form = target?.closest?.("form[data-outbox]");
  const isSame = (name) => (requestConfig.formData.get(name) ?? "") === (form.elements.namedItem(name)?.value ?? "");
  return !form || requestConfig.verb !== "get" || (isSame("client_id") && isSame("line"));
}

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!isOfHand(detail)) detail.shouldSwap = false;
});

const readBacks = new Map(); // element → [what was typed, what the desk understood]

document.addEventListener("htmx:afterSwap", ({ detail: { target, requestConfig } }) => {
  if (!target?.matches?.(".understood") || requestConfig?.verb !== "get") return;
  delete target.dataset.outboxHint;
  const say = target.querySelector(".understood-say:not(.is-hint)")?.textContent.trim() || "";
  readBacks.set(target.id, [typedIn(target.closest("form")), say]);
});

function typedIn(form) {
  return new URLSearchParams([...new FormData(form)].filter(([name]) => !OURS.has(name) && name !== "reason")).toString();
}

// Returns the content of a form as a part of a record; null for an empty line.
export function takeFields(form) {
  const line = form.elements.namedItem("line");
  if (line && !line.value.trim()) return null;
  const all = [...new FormData(form)];
  const value = (name) => all.find(([key]) => key === name)?.[1] || "";
  const [typed, said] = readBacks.get(form.querySelector(".understood")?.id) || [];
  return {
    action: form.getAttribute("action"),
    fields: all.filter(([name]) => !OURS.has(name)),
    client_id: value("client_id"),
    base: Number(value("expected_seq")),
    line:
      value("line").trim() ||
      all
        .filter(([name]) => name.startsWith("count-"))
        .map(([, typed]) => typed.trim())
        .join(" "),
    said: typed === typedIn(form) ? said : "",
    kind: value("hand") || value("before") ? "correction" : "hand",
  };
}

// Returns whether the form is for the next hand: no hand is being corrected.
export function isPlain() {
  return ["hand", "before"].every((name) => !lineForm()?.elements.namedItem(name));
}

// Makes the form that was sent ready for the next hand.
export function clearAll(taken, newId) {
  clear(taken, newId());
  if (taken === lineForm()) document.dispatchEvent(new Event("hand-taken"));
  const line = taken.elements.namedItem("line");
  line?.dispatchEvent(new Event("input", { bubbles: true })); // htmx asks about the same line again only if it saw another between
  line?.focus({ preventScroll: true });
}

// Asks the desk again what a line means.
export function readAgain(hint) {
  const form = hint.closest("form");
  const asker = form.matches("[hx-get]") ? form : form.querySelector("[hx-get]");
  if (asker && !isEmpty(form))
    htmx.ajax("GET", asker.getAttribute("hx-get"), { source: asker, target: hint, swap: "innerHTML" }).catch(() => {}); // said by htmx
  else sayPreview(hint, "empty");
}

// Reads a line back that was typed before the scripts ran.
export function readEarly() {
  const line = document.getElementById("line");
  const hint = document.getElementById("understood");
  if (line && hint && line.value !== line.defaultValue) readAgain(hint);
}

function clear(form, clientId) {
  for (const control of visible(form)) {
    if (TICKS.has(control.type)) control.checked = control.defaultChecked = false;
    else control.value = control.defaultValue = "";
    control.required = false; // of a reason that was missing
  }
  for (const name of ["hand", "before"]) form.elements.namedItem(name)?.remove();
  for (const node of form.querySelectorAll("[data-plain]")) node.textContent = node.dataset.plain;
  for (const node of form.querySelectorAll("[data-correcting]")) node.hidden = true;
  sayPreview(form.querySelector(".understood"), "empty");
  form.elements.namedItem("client_id").value = clientId;
  const line = form.elements.namedItem("line");
  if (line) line.dataset.keepFocus = "";
}

// Opens the page on which a hand that waits can be changed.
export function openToChange(record, value) {
  let query = isSheet(record) ? "?again=1" : "";
  if (value("hand")) query = `?correct=${value("hand")}`;
  else if (value("before")) query = `?before=${value("before")}`;
  const isSame = location.pathname + location.search === record.action + query;
  location.assign(`${record.action}${query}#outbox-${record.n}`);
  if (isSame) location.reload(); // the same address with another mark is no new page
}

// Puts a hand that waits into its form, to be changed.
export function fill(form, record) {
  const given = (name) => record.fields.filter(([key]) => key === name).map(([, value]) => value);
  for (const control of visible(form)) {
    const values = given(control.name);
    if (TICKS.has(control.type)) control.checked = values.includes(control.value);
    else control.value = values[0] || "";
  }
  const numbers = form.elements.namedItem("numbers"); // what a sheet's numbers are: totals or differences
  if (numbers) [numbers.value] = given("numbers");
  const line = form.elements.namedItem("line");
  (line || form.querySelector("[data-count]") || form).focus?.();
  line?.setSelectionRange(line.value.length, line.value.length);
  const looked = line ? [line, "input"] : [form, "change"];
  looked[0].dispatchEvent(new Event(looked[1], { bubbles: true }));
}

// ------------------------------------------------ swapping under the fingers

const formKey = (form) => form?.id || `${form?.className} ${form?.getAttribute("action")}`;
const key = (control) => `${formKey(control.form)} ${control.name} ${TICKS.has(control.type) ? control.value : ""}`;
const controls = (root) =>
  [...root.querySelectorAll("input, select, textarea")].filter((control) => control.name && control.type !== "hidden");

function isChanged(control) {
  if (TICKS.has(control.type)) return control.checked !== control.defaultChecked;
  if (control.localName !== "select") return control.value !== control.defaultValue;
  return (
    control.selectedIndex !==
    Math.max(
      0,
      [...control.options].findIndex((option) => option.defaultSelected),
    )
  );
}

// Returns whether somebody has typed into a part of a page and not sent it; the hand line counts as typed as soon as it is not empty, as
// the server may have filled it in.
export function isTyped(root) {
  const fields = [...(root?.querySelectorAll("input, select, textarea") || [])].filter((field) => !NEVER_TYPED.has(field.type));
  return fields.some((field) => isChanged(field) || ("keepFocus" in field.dataset && field.value !== ""));
}

function remember(old) {
  const held = old.contains(document.activeElement) ? document.activeElement : null;
  const isText = held && typeof held.selectionStart === "number";
  return {
    changed: controls(old)
      .filter(isChanged)
      .map((control) => [key(control), control.value, control.checked]),
    open: [...old.querySelectorAll("details[open][class]")].map((details) => details.className),
    held: held?.name ? key(held) : "",
    caret: isText ? [held.selectionStart, held.selectionEnd, held.selectionDirection] : null,
    line: held?.id === "line",
    none: !document.activeElement || document.activeElement === document.body || Boolean(held && !held.name),
  };
}

function bringBack(fresh, was) {
  const found = new Map(controls(fresh).map((control) => [key(control), control]));
  for (const [name, value, checked] of was.changed) {
    const control = found.get(name);
    if (control && TICKS.has(control.type)) control.checked = checked;
    else if (control) control.value = value;
  }
  for (const name of was.open) {
    const details = [...fresh.querySelectorAll("details")].find((each) => each.className === name);
    if (details) details.open = true;
  }
  const line = fresh.querySelector("#line");
  // after the last hand there is no line any more: the first total is next
  const next = line || fresh.querySelector(".is-due .sheet-form input.is-number");
  const target = found.get(was.held) || (was.none || was.line ? next : null);
  target?.focus({ preventScroll: true });
  if (target && was.caret && key(target) === was.held) target.setSelectionRange(...was.caret);
  if (line?.value && was.changed.some(([name]) => name === key(line))) line.dispatchEvent(new Event("input", { bubbles: true }));
}

// Shows the table from an answer. `lead`: the answer asks something, so its autofocus is followed if nobody types. Returns false where the
// answer is a step on from another page than this.
export function show(html, { lead = false } = {}) {
  const old = page();
  const holder = document.createElement("template");
  holder.innerHTML = html;
  const step = holder.content.getElementById("table-step");
  if (step && old && step.dataset.before !== old.dataset.stamp) return false;
  const fresh = step ? old : holder.content.getElementById(HAND_PAGE);
  if (!old || !fresh) return true;
  const was = remember(old);
  const typing = was.changed.some(([name]) => name === was.held);
  if (step) goOn(old, step);
  else old.replaceWith(fresh);
  htmx.process(fresh);
  bringBack(fresh, was);
  if (lead && !typing) {
    const wanted = fresh.querySelector("[autofocus]");
    wanted?.focus({ preventScroll: true });
    wanted?.setSelectionRange?.(wanted.value.length, wanted.value.length);
  }
  const detail = { target: fresh, elt: fresh, requestConfig: { verb: "get" }, successful: true };
  for (const name of ["htmx:afterSwap", "htmx:afterSettle"]) htmx.trigger(fresh, name, detail);
  return true;
}

// Puts what a new hand changes into the page: the parts with an id in place of theirs, its row above the others.
function goOn(old, step) {
  const { seq, stamp, due, ...begins } = step.dataset;
  for (const part of [...step.children].filter((each) => each.id)) document.getElementById(part.id)?.replaceWith(part);
  old.querySelector(".hands .is-new")?.classList.remove("is-new");
  old.querySelector(".hands tbody")?.prepend(step.querySelector("tr"));
  for (const each of old.querySelectorAll("[data-with-hands]")) each.hidden = false;
  for (const each of old.querySelectorAll("[data-until-hand]")) each.remove();
  old.querySelector(".split")?.classList.toggle("is-due", due !== undefined);
  for (const seat of old.querySelectorAll("#table-seats [data-card]")) {
    const card = old.querySelector(`#cards-seats [data-card="${seat.dataset.card}"]`);
    card?.toggleAttribute("data-dealer", "dealer" in seat.dataset);
    card?.lastElementChild.replaceChildren(seat.dataset.wind ?? "");
  }
  Object.assign(old.dataset, { seq, stamp });
  for (const input of old.querySelectorAll("input[name=expected_seq]")) input.value = seq;
  const form = lineForm();
  if (form) Object.assign(form.dataset, { round: begins.round, winds: begins.winds, honba: begins.honba });
  else document.getElementById("line-keys")?.remove();
}
