// @ts-check
// Charts tell their figures: by a pointer over them, by a tap, by the arrow keys. Without this script the browser shows the titles.
//
// <figure class="chart"><svg>… <rect class="chart-hit"><title>R3: −12.2 · 18th</title></rect>     a point in time
// <figure class="race" data-ticks="R1 R2"><li data-places="3 1" data-totals="-1200 20200" data-texts="−1.2 +20.2">   a player of the race
// <button data-race-play>                                                                         bars that overtake, then the names
//
// And shares a page with its picture, where the browser can; elsewhere the link opens the picture:
// <a href="/e/cup/players/6/card.png?v=…" data-share="Ada Moss">

const PART = ".chart-hit";
const PLAY = 1600; // milliseconds a round
const REVEAL = 4000; // milliseconds from the last name to the first

// The title would come a second later and lie over the figures.
function textOf(part) {
  const title = part.querySelector("title");
  if (title) {
    part.dataset.told = title.textContent;
    title.remove();
  }
  return part.dataset.told || "";
}

function boxOf(figure) {
  const known = figure.querySelector(".chart-told");
  if (known) return known;
  const box = document.createElement("p");
  box.className = "chart-told";
  box.setAttribute("role", "status");
  figure.append(box);
  return box;
}

function quiet(figure) {
  for (const part of figure.querySelectorAll(".is-on")) part.classList.remove("is-on");
  figure.querySelector(".chart-told")?.remove();
}

function tell(figure, part) {
  if (part.classList.contains("is-on")) return;
  quiet(figure);
  part.classList.add("is-on");
  boxOf(figure).textContent = textOf(part);
}

function over(event) {
  const part = event.target.closest?.(PART);
  const figure = part?.closest("figure");
  if (figure) tell(figure, part);
}

function down(event) {
  for (const figure of document.querySelectorAll("figure.chart"))
    if (!figure.contains(event.target) || !event.target.closest(PART)) quiet(figure);
  over(event);
}

function step(event) {
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const svg = event.target.closest?.("figure.chart svg");
  if (!svg) return;
  const figure = svg.closest("figure");
  if (event.key === "Escape") quiet(figure);
  if (!by) return;
  event.preventDefault();
  const parts = [...svg.querySelectorAll(PART)];
  const at = parts.findIndex((part) => part.classList.contains("is-on"));
  const next = parts[at < 0 ? (by > 0 ? 0 : parts.length - 1) : at + by];
  if (next) tell(figure, next);
}

// ------------------------------------------------ the race runs

let running = 0;

// A player between two rounds: the place decides the order, so that what each round ends with is its standings.
function between(runner, at) {
  const [from, part] = [Math.floor(at), at % 1];
  const mix = (values) => values[from] + (part ? (values[from + 1] - values[from]) * part : 0);
  return { place: mix(runner.places), total: mix(runner.totals) };
}

function place(runners, figure, at) {
  const from = Math.floor(at);
  const states = runners.map((runner, index) => ({ runner, index, ...between(runner, at) }));
  states.sort((one, other) => one.place - other.place || one.index - other.index);
  states.forEach(({ runner, total }, slot) => {
    runner.row.style.transform = `translateY(${runners[slot].top - runner.top}px)`;
    runner.path.setAttribute("d", `M0 0h${total.toFixed(0)}v1H0z`);
    runner.row.querySelector(".place").textContent = String(runner.places[from]);
    runner.row.querySelector(".num").textContent = runner.texts[from];
  });
  figure.dataset.tick = figure.dataset.ticks.split(" ")[from];
}

function unveil(runners, figure) {
  const step = REVEAL / runners.length;
  runners.forEach(({ row }, index) => {
    row.style.transform = "";
    row.querySelector(".name").style.transitionDelay = `${(runners.length - 1 - index) * step}ms`;
  });
  figure.classList.remove("is-running");
}

function run(button) {
  const figure = button.closest("section").querySelector(".race");
  cancelAnimationFrame(running);
  figure.classList.add("is-running");
  figure.dataset.tick = "\u00a0";
  const numbers = (text) => text.trim().split(" ").map(Number);
  const runners = [...figure.querySelectorAll("li")].map((row) => {
    row.querySelector(".name").style.transitionDelay = "";
    const { places, totals, texts } = row.dataset;
    const path = row.querySelector("path");
    return { row, path, top: row.offsetTop, places: numbers(places), totals: numbers(totals), texts: texts.split(" ") };
  });
  const last = runners[0].places.length - 1;
  const begun = performance.now();
  const draw = (now) => {
    const at = Math.min((now - begun) / PLAY, last);
    place(runners, figure, at);
    if (at < last) running = requestAnimationFrame(draw);
    else unveil(runners, figure);
  };
  running = requestAnimationFrame(draw);
}

// ------------------------------------------------ a table, hand by hand

document.addEventListener("keydown", (event) => {
  const used = event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey;
  if (used || event.target.closest("input, select, textarea, svg")) return;
  const way = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  const link = way && document.querySelector(`[data-step][rel=${way}]`);
  if (!link) return;
  event.preventDefault();
  link.click();
});

// ------------------------------------------------ share

async function pictureOf(link) {
  const answer = await fetch(link.href);
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return new File([await answer.blob()], "result.png", { type: "image/png" });
}

async function share(link) {
  const page = { title: document.title, text: link.dataset.share, url: location.href.split(/[?#]/)[0] };
  const withPicture = { ...page, files: [await pictureOf(link)] };
  await navigator.share(navigator.canShare?.(withPicture) ? withPicture : page);
}

document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest?.("[data-share]");
  if (!link || !navigator.share) return;
  event.preventDefault();
  share(link).catch((error) => {
    if (error.name !== "AbortError") location.assign(/** @type {HTMLAnchorElement} */ (link).href);
  });
});

// ------------------------------------------------ start

function prepare() {
  for (const svg of document.querySelectorAll("figure.chart svg")) if (svg.querySelector(PART)) svg.setAttribute("tabindex", "0");
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  for (const button of document.querySelectorAll("[data-race-play]")) button.hidden = still;
}

document.addEventListener("pointerover", over);
document.addEventListener("pointerdown", down);
document.addEventListener("keydown", step);
document.addEventListener("pointerout", ({ target, relatedTarget }) => {
  const figure = target.closest?.("figure.chart");
  if (figure && !figure.contains(/** @type {Node | null} */ (relatedTarget))) quiet(figure);
});
document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-race-play]");
  if (button) run(button);
});
document.addEventListener("live-swapped", prepare);
prepare();
