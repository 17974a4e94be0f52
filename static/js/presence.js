// Says where this page is and asks who else is at the desk, every five seconds while it is looked at. It says "presence-changed" on
// the document with the people; who is on this very page stands in [data-presence]. It never decides anything.

import { isTyped } from "./typed.js";

const box = document.querySelector("[data-presence]");
const url = box?.dataset.presence;
const EVERY = 5000;
const LONGEST = 10_000; // then it is silence
const GONE = 20_000; // without an answer for so long nobody is known to be here
const tab = tabNumber();
const token = JSON.parse(document.body.getAttribute("hx-headers") || "{}");

let timer = 0;
let asking = false;
let told = false; // that somebody types
let answered = 0;

function tabNumber() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const typing = () => isTyped(document.getElementById("table-page"));

function say(fields, { keepalive = false, signal } = {}) {
  return fetch(url, {
    method: "POST",
    headers: { ...token, Accept: "application/json" },
    body: new URLSearchParams({ tab, ...fields }),
    credentials: "same-origin",
    keepalive,
    signal,
  });
}

function show({ people, calls }) {
  const words = people.filter((person) => person.here).map((person) => person.say);
  const text = [...new Set(words)].join(" ");
  if (box.textContent !== text) box.textContent = text;
  box.hidden = !text;
  document.dispatchEvent(new CustomEvent("presence-changed", { detail: { people } }));
  const count = document.querySelector("[data-open-calls]");
  if (!count || calls === undefined) return;
  count.textContent = calls;
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
  document.addEventListener("input", () => { if (typing() !== told) plan(400); });
  document.addEventListener("htmx:afterSettle", () => { if (typing() !== told) plan(400); });
  document.addEventListener("visibilitychange", () => { if (document.hidden) leave(); else plan(100); });
  addEventListener("pagehide", () => { if (!document.hidden) leave(); });
  addEventListener("pageshow", (event) => { if (event.persisted) plan(100); });
  plan(100);
}
