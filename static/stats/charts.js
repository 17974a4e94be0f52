// @ts-check
// Charts tell their figures: by a pointer over them, by a tap, by the arrow keys. Without this script the browser shows the titles.
//
// <figure class="chart"><svg>… <rect class="chart-hit"><title>R3: −12.2 · 18th</title></rect>     a point in time
// <a href="/e/cup/players/6/card.png?v=…" data-share="Ada Moss">     shares a page with its picture, where the browser can

const PART = ".chart-hit";

// The title would come a second later and lie over the figures.
function textOf(part) {
  const title = part.querySelector("title");
  if (title) {
    part.dataset.told = title.textContent;
    title.remove();
  }
  return part.dataset.told || "";
}

function quiet(figure) {
  for (const part of figure.querySelectorAll(".is-on")) part.classList.remove("is-on");
  figure.querySelector(".chart-told")?.remove();
}

function tell(figure, part) {
  if (part.matches(".is-on")) return;
  quiet(figure);
  part.classList.add("is-on");
  const box = document.createElement("p");
  box.className = "chart-told";
  box.setAttribute("role", "status");
  figure.append(box);
  box.textContent = textOf(part);
  if (part.matches(".is-row")) box.style.top = `${part.getBoundingClientRect().bottom - figure.getBoundingClientRect().top}px`;
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
  const at = parts.findIndex((part) => part.matches(".is-on"));
  const next = parts[at < 0 ? (by > 0 ? 0 : parts.length - 1) : at + by];
  if (next) tell(figure, next);
}

document.addEventListener("keydown", (event) => {
  const used = event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey;
  if (used || event.target.closest("input, select, textarea, svg")) return;
  const way = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  const link = way && document.querySelector(`[data-step][rel=${way}]`);
  if (!link) return;
  event.preventDefault();
  link.click();
});

async function pictureOf(link) {
  const answer = await fetch(link.href);
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const picture = await answer.blob();
  return new File([picture], `result.${picture.type === "image/gif" ? "gif" : "png"}`, { type: picture.type });
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

function prepare() {
  for (const svg of document.querySelectorAll("figure.chart svg")) if (svg.querySelector(PART)) svg.setAttribute("tabindex", "0");
}

document.addEventListener("pointerover", over);
document.addEventListener("pointerdown", down);
document.addEventListener("keydown", step);
document.addEventListener("pointerout", ({ target, relatedTarget }) => {
  const figure = target.closest?.("figure.chart");
  if (figure && !figure.contains(/** @type {Node | null} */ (relatedTarget))) quiet(figure);
});
document.addEventListener("live-swapped", prepare);
prepare();
