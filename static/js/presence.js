// @ts-check
// Tell the desk where this page is and ask who else is there, every five seconds while the page is visible. Says "presence-changed" on the
// document with the people; [data-presence] names those on this very page.

import { isTyped } from "../hands/outbox_page.js";
import { headers, newId } from "../hands/outbox_send.js";

const box = document.querySelector("[data-presence]");
const url = box?.dataset.presence;
const EVERY = 5000;
const LONGEST = 10_000; // then it is silence
const GONE = 20_000; // after so long without an answer nobody is shown
const tab = newId().replaceAll("-", ""); // 32 letters at most

let timer = 0;
let asking = false;
let told = false; // that somebody types
let answered = 0;

const typing = () => isTyped(document.getElementById("table-page"));

/** @param {Record<string, string>} fields @param {{ keepalive?: boolean, signal?: AbortSignal }} options */
function say(fields, { keepalive = false, signal } = {}) {
  return fetch(url, {
    method: "POST",
    headers: headers(),
    body: new URLSearchParams({ tab, ...fields }),
    credentials: "same-origin",
    keepalive,
    signal,
  });
}

/** @param {{ people: any[], calls?: number }} answer */
function show({ people, calls }) {
  const words = people.filter((person) => person.here).map((person) => person.say);
  const text = [...new Set(words)].join(" ");
  if (box.textContent !== text) box.textContent = text;
  box.hidden = !text;
  document.dispatchEvent(new CustomEvent("presence-changed", { detail: { people } }));
  const count = document.querySelector("[data-open-calls]");
  if (!count || calls === undefined) return;
  count.textContent = String(calls);
  count.hidden = !calls;
}

async function ask() {
  if (asking || document.hidden) return;
  asking = true;
  told = typing();
  const stop = new AbortController();
  const limit = setTimeout(() => stop.abort(), LONGEST);
  try {
    const response = await say({ path: location.pathname, typing: told ? "1" : "" }, { signal: stop.signal });
    document.dispatchEvent(new Event("desk-answers"));
    if (!response.ok || response.redirected) throw new Error(`status ${response.status}`);
    answered = Date.now();
    show(await response.json());
  } catch (wrong) {
    if (wrong instanceof TypeError || stop.signal.aborted) document.dispatchEvent(new Event("desk-silent"));
    if (Date.now() - answered > GONE) show({ people: [] });
  } finally {
    clearTimeout(limit);
    asking = false;
    plan();
  }
}

function plan(wait = EVERY * (0.8 + 0.4 * Math.random())) {
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(ask, wait);
}

function leave() {
  clearTimeout(timer);
  say({ gone: "1" }, { keepalive: true }).catch(() => {});
}

if (url) {
  document.addEventListener("input", () => {
    if (typing() !== told) plan(400);
  });
  document.addEventListener("htmx:afterSettle", () => {
    if (typing() !== told) plan(400);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) leave();
    else plan(100);
  });
  addEventListener("pagehide", () => {
    if (!document.hidden) leave();
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) plan(100);
  });
  plan(100);
}
