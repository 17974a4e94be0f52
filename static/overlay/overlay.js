// @ts-check
// An overlay: a score that has changed counts to its new value, and the change beside it slides in (overlay.css). Quiet where less
// motion is asked for. The page's new part says "htmx:afterSwap" (live_fragment.js).
//
// <body data-theme="#ffd400" data-on-theme="#111111" data-seconds="90">   colours of the address; of the ticker's passage
// <b data-seat="2" data-score="28000">28,000</b>                          the score of a seat

const SECONDS = 1.2;
const SMALLEST = 10; // px
const still = matchMedia("(prefers-reduced-motion: reduce)");
const nodes = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-score]")]);
const read = () => new Map(nodes().map(({ dataset }) => [dataset.seat, Number(dataset.score)]));

const { theme, onTheme, seconds } = document.body.dataset;
const root = document.documentElement.style;
if (theme) root.setProperty("--theme", theme);
if (onTheme) root.setProperty("--on-theme", onTheme);
if (seconds) root.setProperty("--seconds", `${seconds}s`);

let before = read();
shrink();

// all tables of a round, or the seats of one in a corner, may be higher than the picture at 150 %
function shrink() {
  const board = document.querySelector(".overlay-board, .overlay");
  if (!(board instanceof HTMLElement)) return;
  board.style.fontSize = "";
  let size = Number.parseFloat(getComputedStyle(board).fontSize);
  while (size > SMALLEST && board.offsetHeight > innerHeight) {
    size -= 1;
    board.style.fontSize = `${size}px`;
  }
}
addEventListener("resize", shrink);

/** @param {HTMLElement} node @param {number} from @param {number} to */
function count(node, from, to) {
  const text = node.textContent;
  const format = new Intl.NumberFormat(document.documentElement.lang);
  const start = performance.now();
  const step = (/** @type {number} */ now) => {
    const part = Math.min(1, (now - start) / 1000 / SECONDS);
    const at = Math.round((from + (to - from) * (1 - (1 - part) ** 3)) / 100) * 100;
    node.textContent = part < 1 ? format.format(at).replace("-", "\u2212") : text;
    if (part < 1 && node.isConnected) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

document.addEventListener("htmx:afterSwap", () => {
  const was = before;
  before = read();
  shrink();
  if (still.matches) return;
  for (const node of nodes()) {
    const [from, to] = [was.get(node.dataset.seat), Number(node.dataset.score)];
    if (from === undefined || from === to) continue;
    node.closest("li")?.classList.add("is-moved");
    count(node, from, to);
  }
});
