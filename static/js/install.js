// Lets the last state of an event's pages open without a network: registers the event's worker where the browser allows
// one (https, or this machine itself), and shows what a page had learned since the worker kept it.
//
// <link rel="manifest" href="/e/cup/manifest.webmanifest">   whose folder is the event's, and the worker's

const manifest = document.querySelector("link[rel=manifest]");
const scope = manifest ? new URL(".", manifest.href).pathname : "";
const LARGEST = 200_000; // characters: all places of 400 players
const name = `live ${location.pathname}`;
const asOf = `as-of ${location.pathname}`;

function put(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    try { localStorage.removeItem(key); } catch { /* a private window keeps nothing */ }
  }
}

function get(key) {
  try { return localStorage.getItem(key); } catch { return null; }
}

// a page that the worker had kept: poll.js says so; what came after it was kept stands here
function bringUp() {
  const at = Number(document.body.dataset.keptAt);
  if (!at) return;
  document.body.dataset.keptAt = String(Math.max(at, Number(get(asOf))));
  const [time, text] = (get(name) || "").split(/ (.*)/s);
  if (!(Number(time) > at) || !text) return;
  const box = document.createElement("template");
  box.innerHTML = text;
  const part = box.content.getElementById("live");
  if (part) document.getElementById("live")?.replaceWith(part);
}

function keepPart() {
  const text = document.getElementById("live")?.outerHTML || "";
  if (!location.search && text.length < LARGEST) put(name, `${Date.now()} ${text}`);
}

async function start() {
  const controlled = Boolean(navigator.serviceWorker.controller);
  const worker = await navigator.serviceWorker.register(`${scope}worker.js`, { scope });
  if (controlled) return;
  const ready = worker.active || (await navigator.serviceWorker.ready).active;
  ready.postMessage({ keep: location.pathname }); // this page came before there was anybody to keep it
}

if (scope && window.isSecureContext && "serviceWorker" in navigator) {
  bringUp();
  document.addEventListener("live-swapped", keepPart);
  document.addEventListener("desk-answers", () => put(asOf, String(Date.now())));
  if (document.readyState === "complete") start().catch(() => {});
  else addEventListener("load", () => start().catch(() => {}));
}
