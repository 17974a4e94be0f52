// @ts-check
// Charts tell their figures: by a pointer over them, by a tap, by the arrow keys. Without this script the browser shows the titles.
//
// <figure class="chart"><svg>… <rect class="chart-hit"><title>R3: −12.2 · 18th</title></rect>     a point in time
//   <g class="race-lane" data-number="6"><title>…</title>                                          a player of the race
// <button data-race-play>                                                                         the race, round by round
//
// And shares a page with its picture, where the browser can; elsewhere the link opens the picture:
// <a href="/e/cup/players/6/card.png?v=…" data-share="Ada Moss">

const PARTS = ".chart-hit, .race-lane";
const PLAY = 900; // milliseconds a round

const shown = (figure) => [...figure.querySelectorAll("svg")].find((svg) => svg.getClientRects().length);

// The title would come a second later and lie over the figures.
function textOf(part) {
  const title = part.querySelector("title");
  if (title) {
    part.dataset.told = title.textContent;
    title.remove();
  }
  return part.matches(".race-lane") ? rowOf(part) : part.dataset.told || "";
}

// a player of the race tells the row of the table below: Ada Moss · R1 3 · R2 1
function rowOf(lane) {
  const table = lane.closest("figure").nextElementSibling.querySelector("table");
  const heads = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
  const cells = [...table.tBodies[0].rows[Number(lane.dataset.at) - 1].cells].map((cell) => cell.textContent);
  return [cells[0], ...cells.slice(1).map((place, at) => `${heads[at + 1]} ${place}`)].join(" · ");
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
  figure.classList.remove("is-picked");
  figure.querySelector(".chart-told")?.remove();
}

// `y` is where the pointer is, in the window; a lane is told below it, or below its name.
function tell(figure, part, y = 0) {
  if (part.classList.contains("is-on")) return;
  quiet(figure);
  part.classList.add("is-on");
  const lane = part.matches(".race-lane");
  figure.classList.toggle("is-picked", lane);
  if (lane) part.parentNode.append(part); // over the others
  const box = boxOf(figure);
  box.textContent = textOf(part);
  if (!lane) return;
  const below = y || part.querySelector("text").getBoundingClientRect().bottom;
  box.style.top = `${below - figure.getBoundingClientRect().top + 14}px`;
}

function over(event) {
  const part = event.target.closest?.(PARTS);
  const figure = part?.closest("figure");
  if (figure) tell(figure, part, event.clientY);
}

function down(event) {
  for (const figure of document.querySelectorAll("figure.chart"))
    if (!figure.contains(event.target) || !event.target.closest(PARTS)) quiet(figure);
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
  const parts = [...svg.querySelectorAll(PARTS)].sort((one, other) => Number(one.dataset.at || 0) - Number(other.dataset.at || 0));
  const at = parts.findIndex((part) => part.classList.contains("is-on"));
  const next = parts[at < 0 ? (by > 0 ? 0 : parts.length - 1) : at + by];
  if (next) tell(figure, next);
}

// ------------------------------------------------ the race runs

let running = 0;

function run(button) {
  const figure = button.closest("section").querySelector("figure.chart");
  const svg = shown(figure);
  const reveal = svg?.querySelector("[data-first]");
  if (!reveal) return;
  cancelAnimationFrame(running);
  quiet(figure);
  const [first, last, rounds] = ["first", "last", "rounds"].map((name) => Number(reveal.dataset[name]));
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const begun = performance.now();
  const draw = (now) => {
    const done = Math.min((now - begun) / PLAY, rounds - 1);
    const at = still ? Math.floor(done) : done;
    reveal.setAttribute("width", String(first + ((last - first) * at) / Math.max(1, rounds - 1) + 3));
    svg.classList.toggle("is-running", done < rounds - 1);
    if (done < rounds - 1) running = requestAnimationFrame(draw);
    else reveal.setAttribute("width", String(svg.viewBox.baseVal.width));
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
  for (const svg of document.querySelectorAll("figure.chart svg")) if (svg.querySelector(PARTS)) svg.setAttribute("tabindex", "0");
  for (const button of document.querySelectorAll("[data-race-play]")) button.hidden = false;
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
