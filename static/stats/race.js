// @ts-check
// The race of an event: bars that overtake round by round without names, then the names from the last to the first.
//
// <figure class="race" data-ticks="R1 R2"><li data-places="=3 1" data-totals="-1200 20200" data-texts="−1.2 +20.2">   a player
// <button data-race-play hidden>                                              where motion is wanted

const PLAY = 1600; // milliseconds a round
const REVEAL = 4000; // milliseconds from the last name to the first

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
    runner.row.querySelector(".place").textContent = runner.placeTexts[from];
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
    return {
      row,
      path,
      top: row.offsetTop,
      places: numbers(places.replaceAll("=", "")),
      placeTexts: places.split(" "),
      totals: numbers(totals),
      texts: texts.split(" "),
    };
  });
  const last = runners[0].places.length - 1;
  const begun = performance.now();
  const draw = (now) => {
    const at = Math.min(Math.max(now - begun, 0) / PLAY, last); // a frame may have begun before the press
    place(runners, figure, at);
    if (at < last) running = requestAnimationFrame(draw);
    else unveil(runners, figure);
  };
  running = requestAnimationFrame(draw);
}

function prepare() {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  for (const button of document.querySelectorAll("[data-race-play]")) button.hidden = still;
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-race-play]");
  if (button) run(button);
});
document.addEventListener("live-swapped", prepare);
prepare();
