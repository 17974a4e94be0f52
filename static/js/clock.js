// @ts-check
// Count down to a moment on the server's clock, or up from one. Each tick is computed from that moment, so nothing drifts, and after
// sleep or reload it goes on. The server's offset comes from data-server-now on the body, then from "server-time" events (version_stream.js),
// whose bounds are intersected: the more answers, the nearer.
//
// <span data-ends-at="1767225600000" data-over="Time">   milliseconds since 1970; several on one page are fine
// <span data-signals-at="1767225600000">                 a moment that is not shown
// <span data-since="1767225600000">                      counts up
//
// Says "clock-tick" on the document each second, with the server's time, and "clock-signal" on the body when one of those moments
// has come.

const body = document.body;
let low = -Infinity;
let high = Infinity;

function learn(newLow, newHigh) {
  if (newLow > high || newHigh < low)
    [low, high] = [newLow, newHigh]; // somebody set this device's clock
  else [low, high] = [Math.max(low, newLow), Math.min(high, newHigh)];
}

const navigation = /** @type {PerformanceNavigationTiming} */ (performance.getEntriesByType("navigation")[0]);
const stamped = Number(body.dataset.serverNow);
// a page from the browser's cache has an old stamp
const kept = navigation && navigation.encodedBodySize > 0 && navigation.transferSize < navigation.encodedBodySize;
if (stamped && navigation && !kept) {
  const origin = performance.timeOrigin;
  learn(stamped - (origin + navigation.responseEnd), stamped - (origin + navigation.requestStart));
}
const offset = () => (Number.isFinite(low + high) ? (low + high) / 2 : 0);

const two = (n) => String(n).padStart(2, "0");

const LONG = 100 * 60; // below it there are no hours: a round of 75 minutes begins with 75:00

function words(seconds) {
  if (seconds < LONG) return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return `${hours}:${two(minutes)}:${two(seconds % 60)}`;
}

function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

let before = 0;

function watch(now) {
  const moments = [...document.querySelectorAll("[data-ends-at], [data-signals-at]")];
  const came = moments.some(({ dataset }) => {
    const at = Number(dataset.endsAt || dataset.signalsAt);
    return at > before && at <= now;
  });
  const first = before === 0;
  before = now;
  document.dispatchEvent(new CustomEvent("clock-tick", { detail: { now } }));
  if (came && !first) document.body.dispatchEvent(new CustomEvent("clock-signal", { bubbles: true }));
}

function draw() {
  const now = Date.now() + offset();
  for (const node of document.querySelectorAll("[data-ends-at]")) {
    const end = Number(node.dataset.endsAt);
    if (!end) continue;
    const left = Math.max(0, Math.ceil((end - now) / 1000));
    write(node, left ? words(left) : node.dataset.over || "0:00");
    node.classList.toggle("is-over", left === 0);
  }
  for (const node of document.querySelectorAll("[data-since]")) {
    write(node, words(Math.max(0, Math.floor((now - Number(node.dataset.since)) / 1000))));
  }
  return now;
}

let timer = 0;
function tick() {
  clearTimeout(timer);
  if (document.hidden) return;
  const now = draw();
  watch(now);
  timer = setTimeout(tick, 1000 - (now % 1000) + 5);
}

document.addEventListener("server-time", (event) => {
  learn(event.detail.low, event.detail.high);
  tick();
});
document.addEventListener("visibilitychange", tick);
document.addEventListener("htmx:afterSwap", tick);
addEventListener("pageshow", tick);
tick();
