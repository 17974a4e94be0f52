// The wall: one screen at a time, of as many rows as fit, turned by itself or by keys; nothing ever scrolls.
//
// <section class="show-page" data-key="names" data-page="names" data-seconds="12" data-digit="2">   one page
//   <ul data-paged>…                laid out in columns of the screen's height; what is beyond them is its next screen
//   <div data-fit>…                 made smaller until it fits
// data-alone-from, data-alone-until (ms)   shown over everything else between these moments of the server
// data-until (ms)                          not shown from then on, also without a network
//
// Keys: arrows and Page Up, Page Down turn, space halts and goes on, digits pick a page, 0 and Escape go on by themselves,
// f is the full screen, d dark or light.

import { toggleFull, toggleLight } from "./wall_screen.js";

const body = document.body;
const state = document.querySelector("[data-wall-state]");
const SMALLEST = 24; // percent of the usual size of letters
const EDGE = 1; // px: what a browser may round

let key = ""; // the page that is shown, by name, so that it is found again when the live part was replaced
let index = 0; // where it stood, for when it is gone
let screen = 0;
let halted = false;
let timer = 0;
let now = Date.now();

const all = () => [...document.querySelectorAll(".show-page")];
const over = ({ dataset }) => Boolean(dataset.until) && Number(dataset.until) <= now;
const alone = ({ dataset }) => Number(dataset.aloneFrom) <= now && now < Number(dataset.aloneUntil);

function pages() {
  const still = all().filter((page) => !over(page));
  const there = still.length ? still : all();
  const first = there.filter(alone);
  return first.length ? first.slice(-1) : there;
}

// ---- how much fits

function columns(list) {
  const style = getComputedStyle(list);
  // not clientWidth, which is rounded: on the twentieth screen that would be ten pixels
  return { width: list.getBoundingClientRect().width, gap: Number.parseFloat(style.columnGap) || 0 };
}

function screensOf(page) {
  const list = page.querySelector("[data-paged]");
  const last = list?.lastElementChild;
  if (!last) return 1;
  const { width, gap } = columns(list);
  return Math.max(1, Math.floor((last.offsetLeft + EDGE) / (width + gap)) + 1);
}

function turnTo(page, number) {
  const list = page.querySelector("[data-paged]");
  if (!list) return;
  const { width, gap } = columns(list);
  list.style.transform = number ? `translateX(${-number * (width + gap)}px)` : "";
}

function fit(page) {
  for (const node of page.querySelectorAll("[data-fit]")) {
    let size = 100;
    node.style.fontSize = "";
    const spills = () => node.scrollHeight > node.clientHeight + EDGE || node.scrollWidth > node.clientWidth + EDGE;
    while (size > SMALLEST && spills()) {
      size -= 4;
      node.style.fontSize = `${size}%`;
    }
  }
}

function initials(page, number) {
  const list = page.querySelector("[data-paged]");
  if (!list?.querySelector("[data-initial]")) return "";
  const { width, gap } = columns(list);
  const here = [...list.children].filter((row) => Math.floor((row.offsetLeft + EDGE) / (width + gap)) === number);
  if (!here.length) return "";
  const [first, last] = [here[0].dataset.initial, here.at(-1).dataset.initial];
  return first === last ? first : `${first} – ${last}`;
}

// ---- what is shown

function show() {
  const there = pages();
  if (!there.length) return;
  let at = there.findIndex((page) => page.dataset.key === key);
  if (at < 0) {
    at = Math.min(index, there.length - 1);
    if (!alone(there[at])) screen = 0;
  }
  const page = there[at];
  if (!alone(page) || !key) [key, index] = [page.dataset.key, at];
  for (const each of all()) each.classList.toggle("is-shown", each === page);
  body.dataset.shown = page.dataset.page;
  const count = screensOf(page);
  const number = alone(page) ? 0 : Math.min(screen, count - 1);
  if (!alone(page)) screen = number;
  turnTo(page, number);
  fit(page);
  say(page, number, count);
  plan(page, there.length > 1 || count > 1);
}

function say(page, number, count) {
  const words = [
    initials(page, number),
    count > 1 ? state.dataset.page.replace("{page}", number + 1).replace("{count}", count) : "",
    halted ? state.dataset.halted : "",
  ];
  state.textContent = words.filter(Boolean).join(" · ");
}

let planned = "";
function plan(page, more) {
  const what = `${page.dataset.key} ${screen} ${halted}`;
  if (what === planned && timer) return; // news came meanwhile: the screen stays as long as it would have
  clearTimeout(timer);
  planned = what;
  timer = halted || !more || alone(page) ? 0 : setTimeout(() => { timer = 0; turn(1); }, Number(page.dataset.seconds) * 1000);
}

function turn(by) {
  const there = pages();
  const at = there.findIndex((page) => page.dataset.key === key);
  if (at < 0) { restart(); return; }
  const next = screen + by;
  if (next >= 0 && next < screensOf(there[at])) screen = next;
  else {
    const to = (at + by + there.length) % there.length;
    [key, index] = [there[to].dataset.key, to];
    screen = by < 0 ? screensOf(there[to]) - 1 : 0;
  }
  restart();
}

function restart() {
  clearTimeout(timer);
  timer = 0;
  planned = "";
  show();
}

function pick(digit) {
  const page = pages().find(({ dataset }) => dataset.digit === digit);
  if (!page) return;
  key = page.dataset.key;
  screen = 0;
  restart();
}

function halt(on) {
  halted = on;
  restart();
}

// ---- keys, the server's time, news

const KEYS = {
  ArrowRight: () => turn(1), ArrowDown: () => turn(1), PageDown: () => turn(1),
  ArrowLeft: () => turn(-1), ArrowUp: () => turn(-1), PageUp: () => turn(-1),
  " ": () => halt(!halted), 0: () => halt(false), Escape: () => halt(false),
  f: toggleFull, d: toggleLight,
};

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, button, a")) return;
  const act = KEYS[event.key] || (/^[1-9]$/.test(event.key) ? () => pick(event.key) : null);
  if (!act) return;
  event.preventDefault();
  act();
});

let signs = "";
document.addEventListener("clock-tick", ({ detail }) => {
  now = detail.now;
  const fresh = all().map((page) => `${page.dataset.key} ${over(page)} ${alone(page)}`).join();
  if (fresh !== signs) {
    signs = fresh;
    show();
  }
});
document.addEventListener("live-swapped", show);
addEventListener("resize", show);
document.fonts?.ready.then(show);

let still = 0;
addEventListener("pointermove", () => {
  body.classList.add("is-touched");
  clearTimeout(still);
  still = setTimeout(() => body.classList.remove("is-touched"), 3000);
});

body.classList.add("is-turning");
show();
