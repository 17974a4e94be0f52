// @ts-check
// Public pages of an event. Swaps in the new live part when the event has moved on: the one that came on the stream (see version_stream.js),
// or else the one that it fetches. Never under a finger: it waits while one is down, while the page scrolls, and while text is
// selected. The topmost heading stays where it is on the screen; what was unfolded, ticked or focused stays so. Where the browser
// allows a worker (https, or this machine itself), the last state of the pages opens without a network.
//
// <div id="live" data-live="/e/cup/" data-seen="3f…">                    the answer is empty if nothing of it has changed
// <link rel="manifest" href="/e/cup/manifest.webmanifest">              its folder is the event's, and the worker's

const QUIET = 500; // milliseconds since the last touch or scroll
const PATIENCE = 30_000; // no longer: somebody may have forgotten a selection
const LIMIT = 10_000;

let fingers = false;
let touched = 0;
/** @type {AbortController | null} */
let asking = null;
let again = false;
let fresh = null; // the new part, ready to be shown
let since = 0; // when it came
let version = ""; // the newest that version_stream.js was told

const live = () => document.getElementById("live");

function held() {
  const now = Date.now();
  if (document.hidden || now - since > PATIENCE) return false;
  if (fingers || now - touched < QUIET) return true;
  const selection = getSelection();
  return Boolean(selection && !selection.isCollapsed && live()?.contains(selection.anchorNode));
}

/** @param {string} text a page's live part */
function take(text) {
  const box = document.createElement("template");
  box.innerHTML = text;
  fresh = box.content.getElementById("live");
  since = Date.now();
  settle();
}

async function load() {
  if (asking) {
    again = true;
    return;
  }
  const part = live();
  if (!part) return;
  const stop = new AbortController();
  const limit = setTimeout(() => stop.abort(), LIMIT);
  asking = stop;
  again = false;
  try {
    const address = new URL(part.dataset.live, location.href);
    address.searchParams.set("seen", part.dataset.seen);
    if (version) address.searchParams.set("at", version); // a cache before the desk may answer all who ask at one version
    const response = await fetch(address, {
      headers: { "HX-Request": "true" },
      cache: "no-store",
      credentials: "same-origin",
      signal: stop.signal,
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const text = await response.text();
    if (asking === stop && response.status !== 204) take(text);
  } catch {
    if (asking === stop) setTimeout(load, 2000 + 3000 * Math.random()); // version_stream.js does not repeat it
  } finally {
    clearTimeout(limit);
    if (asking === stop) {
      asking = null;
      if (again) load();
    }
  }
}

// What comes on the stream is newer than any answer that is still on its way.
function leaveAnswer() {
  asking?.abort();
  asking = null;
  again = false;
}

let waiting = 0;
function settle() {
  clearTimeout(waiting);
  if (!fresh) return;
  if (held()) {
    waiting = setTimeout(settle, 200);
    return;
  }
  const [old, part] = [live(), fresh];
  fresh = null;
  if (old) swap(old, part);
}

// Elements that can be found again in the new part, by their id or text.
const MARKS = "h1, h2, h3, [id]";
const nameOf = (node) => node.id || node.textContent.trim();

function topmost(old) {
  if (scrollY < 8) return null; // stay at the top of the page
  const mark = [...old.querySelectorAll(MARKS)].find((node) => {
    const box = node.getBoundingClientRect();
    return box.height > 0 && box.bottom > 0;
  });
  return mark ? { name: nameOf(mark), top: mark.getBoundingClientRect().top } : null;
}

const STATES = "details, input[type=checkbox][id]";
const stateOf = (node) => node.id || node.querySelector("summary")?.textContent.trim() || "";

function remember(old) {
  const focus = old.contains(document.activeElement) ? document.activeElement : null;
  return {
    mark: topmost(old),
    open: new Set([...old.querySelectorAll(STATES)].filter((node) => node.open || node.checked).map(stateOf)),
    aside: [...old.querySelectorAll(".swipe")].map((node) => node.scrollLeft),
    focus: focus && { id: focus.id, href: focus.getAttribute("href") },
  };
}

function restore(part, { mark, open, aside, focus }) {
  part.querySelectorAll(".swipe").forEach((node, at) => {
    node.scrollLeft = aside[at] || 0;
  });
  for (const node of part.querySelectorAll(STATES)) {
    if (node.localName === "details") node.open = node.open || open.has(stateOf(node));
    else node.checked = open.has(stateOf(node));
  }
  if (focus) {
    const same = [...part.querySelectorAll("a, button, input, summary")];
    const next = same.find((node) => (focus.id ? node.id === focus.id : focus.href && node.getAttribute("href") === focus.href));
    (next || document.getElementById("main"))?.focus({ preventScroll: true });
  }
  const stays = mark && [...part.querySelectorAll(MARKS)].find((node) => nameOf(node) === mark.name);
  if (stays) scrollBy({ top: stays.getBoundingClientRect().top - mark.top, behavior: "instant" });
}

function swap(old, part) {
  const kept = remember(old);
  old.replaceWith(part);
  restore(part, kept);
  // the event that htmx sends on the desk: others listen to one name only
  part.dispatchEvent(new CustomEvent("htmx:afterSwap", { bubbles: true, detail: { target: part } }));
  part.dispatchEvent(new CustomEvent("live-swapped", { bubbles: true }));
}

function touch(down) {
  fingers = down;
  touched = Date.now();
}
for (const kind of ["pointerdown", "touchstart"]) addEventListener(kind, () => touch(true), { passive: true });
for (const kind of ["pointerup", "pointercancel", "touchend", "touchcancel"]) addEventListener(kind, () => touch(false), { passive: true });
// a browser that scrolls by a touch cancels the pointer while the finger is still down
addEventListener("touchmove", () => touch(true), { passive: true });
addEventListener(
  "scroll",
  () => {
    touched = Date.now();
  },
  { passive: true },
);
document.addEventListener("visibilitychange", settle);
document.body.addEventListener("version-changed", (event) => {
  const told = (event instanceof CustomEvent && event.detail) || {};
  version = told.etag?.replaceAll('"', "") || "";
  const shown = (fresh || live())?.dataset.seen;
  if (told.seen && told.seen === shown) leaveAnswer();
  else if (told.part) {
    leaveAnswer();
    take(told.part);
  } else load();
});

// a link to a hand unfolds it
function unfold() {
  const node = location.hash ? document.getElementById(location.hash.slice(1)) : null;
  if (node instanceof HTMLDetailsElement) node.open = true;
}
unfold();
addEventListener("hashchange", unfold);

// ------------------------------------------------ without a network

const manifest = document.querySelector("link[rel=manifest]");
const scope = manifest ? new URL(".", manifest.href).pathname : "";
const LARGEST = 200_000; // characters: the standings of 400 players
const lastPart = `live ${location.pathname}`;
const asOf = `as-of ${location.pathname}`;

function put(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    try {
      localStorage.removeItem(key);
    } catch {
      /* a private window keeps nothing */
    }
  }
}

function get(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

// The worker gave a kept page: show what the page learned after it was kept. version_stream.js says how old it is.
function bringUp() {
  const at = Number(document.body.dataset.keptAt);
  if (!at) return;
  document.body.dataset.keptAt = String(Math.max(at, Number(get(asOf))));
  const [time, text] = (get(lastPart) || "").split(/ (.*)/s);
  if (!(Number(time) > at) || !text) return;
  const box = document.createElement("template");
  box.innerHTML = text;
  const part = box.content.getElementById("live");
  if (part) document.getElementById("live")?.replaceWith(part);
}

function keepPart() {
  const text = document.getElementById("live")?.outerHTML || "";
  if (!location.search && text.length < LARGEST) put(lastPart, `${Date.now()} ${text}`);
}

async function startWorker() {
  const controlled = Boolean(navigator.serviceWorker.controller);
  const worker = await navigator.serviceWorker.register(`${scope}worker.js`, { scope });
  if (controlled) return;
  const ready = worker.active || (await navigator.serviceWorker.ready).active;
  ready.postMessage({ keep: location.pathname }); // this page came before the worker
}

if (scope && window.isSecureContext && "serviceWorker" in navigator) {
  bringUp();
  document.addEventListener("live-swapped", keepPart);
  document.addEventListener("desk-answers", () => put(asOf, String(Date.now())));
  const begin = () => startWorker().catch(() => {}); // without a worker the page still works online
  if (document.readyState === "complete") begin();
  else addEventListener("load", begin);
}
