// @ts-check
// Say "version-changed" on the body when the event has moved on. Elements refetch themselves:
// hx-get="…" hx-trigger="version-changed from:body", or live_fragment.js. While the page is seen it holds one stream, on which the desk tells
// each version as it comes, with the new part of a page that has one. Where there is none (another server, a proxy that gathers
// answers, no place left) it asks, spread out so that a hall of phones does not ask at once, and tries the stream again later and later.
//
// <body data-version-url="…" data-stream-url="…" data-version="41" data-poll-seconds="6" data-poll-steady>
// data-stream-url is the page itself where the stream brings its new parts along; it and the last two are optional

const body = document.body;
const url = body.dataset.versionUrl;
const base = Number(body.dataset.pollSeconds || 6) * 1000;
const steady = "pollSteady" in body.dataset; // a screen that nobody touches, such as the clock on the wall
const IDLE_AFTER = 3 * 60_000; // nobody has touched the page: ask four times less often
const LONGEST = 60_000;
const SILENCE = 50_000; // the desk speaks every 20 seconds
const BEGINS_WITHIN = 8_000; // the first word

let etag = body.dataset.version ? `"${body.dataset.version}"` : "";
let timer = 0;
let asking = false;
let failures = 0;
let touched = Date.now();

const bare = (tag) => (tag || "").replace(/^W\//, ""); // compression weakens the tag, the version is the same

function pause() {
  const idle = !steady && Date.now() - touched > IDLE_AFTER ? 4 : 1;
  const patience = failures === 1 ? 0.5 : 2 ** Math.min(Math.max(failures - 1, 0), 4); // once may be chance: look again soon
  const wait = Math.min(base * idle * patience, LONGEST);
  return wait * (0.7 + 0.6 * Math.random());
}

function plan(wait = pause()) {
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(ask, wait);
}

function shareTime(response, sent, received) {
  const exact = Number(response.headers.get("X-Server-Time"));
  const whole = Date.parse(response.headers.get("Date") || "");
  if (!exact && Number.isNaN(whole)) return;
  const age = response.headers.has("Age") ? Number(response.headers.get("Age")) * 1000 : NaN; // a cache on the way had it
  const low = (exact || whole) - received + (Math.max(age - 1000, 0) || 0);
  const high = (exact || whole + 1000) - sent + (age + 1000 || 0);
  document.dispatchEvent(new CustomEvent("server-time", { detail: { low, high } }));
}

let asOf = Number(body.dataset.keptAt) || Date.now(); // worker.js says when it kept a page

function sayTime() {
  const moment = new Date(asOf);
  const isToday = moment.toDateString() === new Date().toDateString();
  return moment.toLocaleString(document.documentElement.lang || [], {
    ...(isToday ? {} : { weekday: "short", day: "numeric", month: "short" }),
    hour: "2-digit",
    minute: "2-digit",
  });
}

function showNetwork(ok) {
  if (ok) asOf = Date.now();
  for (const node of document.querySelectorAll("[data-as-of]")) {
    node.hidden = ok;
    const time = node.querySelector("[data-as-of-time]");
    if (time && !ok) time.textContent = sayTime();
  }
}

/**
 * @param {string | null} tag the version
 * @param {{ seen?: string, part?: string }} told what live_fragment.js shows at this version, where the desk has said it
 */
function learn(tag, told = {}) {
  failures = 0;
  showNetwork(true);
  document.dispatchEvent(new Event("desk-answers")); // what waits on this laptop can go out: see outbox.js
  const fresh = bare(tag);
  if (!fresh || fresh === bare(etag)) return;
  const first = !etag;
  etag = fresh;
  if (first) return;
  const detail = { etag, seen: told.seen, part: told.part };
  body.dispatchEvent(new CustomEvent("version-changed", { detail, bubbles: true }));
}

/** @type {EventSource | null} */
let stream = null;
let silence = 0;
let broken = 0; // streams that ended, since one lived
let streamAgain = 0; // when to try the next one

function follow() {
  if (stream || document.hidden || !window.EventSource || Date.now() < streamAgain) return;
  stream = new EventSource(body.dataset.streamUrl || url);
  silence = setTimeout(leave, BEGINS_WITHIN);
  stream.onmessage = (message) => {
    clearTimeout(silence);
    clearTimeout(timer);
    silence = setTimeout(leave, SILENCE);
    const said = JSON.parse(message.data);
    document.dispatchEvent(new CustomEvent("server-time", { detail: { low: said.now - Date.now(), high: Infinity } }));
    broken = 0;
    learn(said.etag, said);
  };
  stream.onerror = leave;
}

function close() {
  clearTimeout(silence);
  stream?.close();
  stream = null;
}

// The stream has ended, or was none: ask instead, and try again when the desk has answered.
function leave() {
  close();
  streamAgain = Date.now() + Math.min(1000 * 4 ** broken, 10 * LONGEST) * (0.7 + 0.6 * Math.random());
  broken += 1;
  plan(Math.min(base, 2000) * Math.random());
}

async function ask() {
  if (asking || document.hidden) return;
  asking = true;
  const stop = new AbortController();
  const limit = setTimeout(() => stop.abort(), 10_000);
  try {
    const sent = Date.now();
    const response = await fetch(url, {
      headers: etag ? { "If-None-Match": etag } : {},
      cache: "no-store",
      credentials: "same-origin",
      signal: stop.signal,
    });
    shareTime(response, sent, Date.now());
    if (response.status !== 304 && !response.ok) throw new Error(`status ${response.status}`);
    learn(response.status === 304 ? "" : response.headers.get("ETag"));
    follow();
  } catch {
    failures += 1;
    document.dispatchEvent(new Event("desk-silent"));
    if (failures > 1) showNetwork(false);
  } finally {
    clearTimeout(limit);
    asking = false;
    if (!stream) plan();
  }
}

for (const kind of ["pointerdown", "keydown", "scroll"]) {
  addEventListener(
    kind,
    () => {
      touched = Date.now();
    },
    { passive: true },
  );
}
document.addEventListener("visibilitychange", () => {
  touched = Date.now();
  // a browser gives a desk six connections
  if (document.hidden) close();
  else plan(Math.random() * 800);
});
addEventListener("online", () => {
  failures = streamAgain = 0;
  plan(Math.random() * 1500);
});
addEventListener("offline", () => {
  close();
  showNetwork(false);
});
addEventListener("pagehide", close);

if (url) {
  if (body.dataset.keptAt) showNetwork(false);
  else setTimeout(follow, 300 * Math.random());
  plan(body.dataset.keptAt ? 0 : pause());
}
