// @ts-check
// Screens on a wall. Full screen, dark or light, and awake on each of them; on the display pages are turned by time and by keys, as many
// rows a screen as fit, and nothing scrolls; on the clock there are signals with sounds.
//
// <section class="show-page" data-key="names" data-page="names" data-seconds="12" data-digit="2">   one page
//   <ul data-paged>…                laid out in columns of the screen's height; what is beyond them is its next screen
//   <div data-fit>…                 made smaller until it fits
// data-alone-from, data-alone-until (ms)   shown over everything else between these moments of the server
// data-until (ms)                          not shown from then on, also without a network
//
// Keys: arrows and Page Up, Page Down turn, space halts and goes on, digits pick a page, 0 and Escape go on by themselves,
// f is the full screen, d dark or light.

const body = document.body;
const state = document.querySelector("[data-wall-state]"); // on the display only
const LIGHT = "wall-light";
const root = document.documentElement;
const button = (name) => document.querySelector(`[data-wall-${name}]`);

function toggleFull() {
  if (document.fullscreenElement) document.exitFullscreen();
  else root.requestFullscreen?.().catch(() => {});
}

function setLight(light) {
  body.classList.toggle("is-dark", light === "dark");
  body.classList.toggle("is-light", light === "light");
}
const isDark = () =>
  body.classList.contains("is-dark") || (!body.classList.contains("is-light") && matchMedia("(prefers-color-scheme: dark)").matches);

function toggleLight() {
  const light = isDark() ? "light" : "dark";
  setLight(light);
  try {
    localStorage.setItem(LIGHT, light);
  } catch {
    /* no storage: for now only */
  }
}

async function stayAwake() {
  if (document.hidden) return;
  try {
    await navigator.wakeLock?.request("screen");
  } catch {
    /* only over https, and where it is allowed */
  }
}

// ------------------------------------------------ the display: how much fits

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

function columns(list) {
  const style = getComputedStyle(list);
  // not clientWidth, which is rounded: on the twentieth screen that would be ten pixels
  return { width: list.getBoundingClientRect().width, gap: Number.parseFloat(style.columnGap) || 0 };
}

// names are whole where one column as wide as the screen holds the list
function widen(page) {
  for (const list of page.querySelectorAll("[data-paged], .show-before")) {
    list.style.columns = "1";
    if (list.lastElementChild?.offsetLeft >= list.clientWidth) list.style.columns = "";
  }
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

// ------------------------------------------------ what is shown

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
  widen(page);
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
  timer =
    halted || !more || alone(page)
      ? 0
      : setTimeout(() => {
          timer = 0;
          turn(1);
        }, Number(page.dataset.seconds) * 1000);
}

function turn(by) {
  const there = pages();
  const at = there.findIndex((page) => page.dataset.key === key);
  if (at < 0) {
    restart();
    return;
  }
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

// ------------------------------------------------ keys, the server's time, news

const KEYS = {
  ArrowRight: () => turn(1),
  ArrowDown: () => turn(1),
  PageDown: () => turn(1),
  ArrowLeft: () => turn(-1),
  ArrowUp: () => turn(-1),
  PageUp: () => turn(-1),
  " ": () => halt(!halted),
  0: () => halt(false),
  Escape: () => halt(false),
  f: toggleFull,
  d: toggleLight,
};

function keyDown(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, button, a")) return;
  const act = KEYS[event.key] || (/^[1-9]$/.test(event.key) ? () => pick(event.key) : null);
  if (!act) return;
  event.preventDefault();
  act();
}

let signs = "";
function tickPages(moment) {
  now = moment;
  const fresh = all()
    .map((page) => `${page.dataset.key} ${over(page)} ${alone(page)}`)
    .join();
  if (fresh !== signs) {
    signs = fresh;
    show();
  }
}

let still = 0;
function touched() {
  body.classList.add("is-touched");
  clearTimeout(still);
  still = setTimeout(() => body.classList.remove("is-touched"), 3000);
}

// ------------------------------------------------ the clock: signals

const LATE = 3000; // ms: a signal that was slept through is not sounded afterwards

let before = 0;
let audio = null;

function tones(minutes) {
  if (minutes === 0)
    return [
      [440, 0, 1.2],
      [440, 1.5, 1.2],
      [440, 3, 2],
    ];
  return minutes <= 5
    ? [
        [660, 0, 0.35],
        [660, 0.5, 0.35],
      ]
    : [[660, 0, 0.35]];
}

function sound(minutes) {
  if (!audio) return;
  for (const [pitch, from, length] of tones(minutes)) {
    const start = audio.currentTime + 0.05 + from;
    const wave = audio.createOscillator();
    const volume = audio.createGain();
    wave.frequency.value = pitch;
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(0.6, start + 0.03);
    volume.gain.exponentialRampToValueAtTime(0.001, start + length);
    wave.connect(volume).connect(audio.destination);
    wave.start(start);
    wave.stop(start + length + 0.05);
  }
}

function tickSignals(moment) {
  let next = null;
  for (const item of document.querySelectorAll(".wall-signals [data-at]")) {
    const at = Number(item.dataset.at);
    item.classList.toggle("is-past", at <= moment);
    if (at > moment && (!next || at < Number(next.dataset.at))) next = item;
    if (before && before < at && at <= moment && moment - at < LATE) sound(Number(item.dataset.minutes));
  }
  for (const item of document.querySelectorAll(".wall-signals [data-at]")) item.classList.toggle("is-next", item === next);
  before = moment;
  const may = document.querySelector("[data-sound]")?.dataset.sound === "on";
  button("sound").hidden = !may || !window.AudioContext;
  if (!may && audio) hush();
}

function hush() {
  audio?.close();
  audio = null;
  button("sound").setAttribute("aria-pressed", "false");
}

function turnOn() {
  audio = new AudioContext();
  button("sound").setAttribute("aria-pressed", "true");
  sound(15); // so that everybody hears that it works
}

// ------------------------------------------------ start

try {
  setLight(localStorage.getItem(LIGHT));
} catch {
  /* no storage: as the system says */
}
function offer(name, act) {
  if (!button(name)) return;
  button(name).hidden = false;
  button(name).addEventListener("click", act);
}
if (root.requestFullscreen) offer("full", toggleFull);
offer("light", toggleLight);
document.addEventListener("visibilitychange", stayAwake);
stayAwake();

if (state) {
  document.addEventListener("clock-tick", ({ detail }) => tickPages(detail.now));
  document.addEventListener("live-swapped", show);
  addEventListener("resize", show);
  document.fonts?.ready.then(show);
  addEventListener("keydown", keyDown);
  addEventListener("pointermove", touched);
  body.classList.add("is-turning");
  show();
}
if (button("sound")) {
  document.addEventListener("clock-tick", ({ detail }) => tickSignals(detail.now));
  button("sound").addEventListener("click", () => {
    if (audio) hush();
    else turnOn();
  });
}
