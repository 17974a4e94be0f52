// @ts-check
// Drags a name of the tables page (open_play/evening.html): to a table, a new one, back to who waits, or onto a name to change places. A mouse
// drags the row, a finger its grip, so that the list still scrolls. What a drop leads to and costs is the desk's: the page with the plan after it.

const START = 6; // pixels before a press is a drag
const EDGE = 48; // pixels at the edge of the window, in which it scrolls
/** @type {{ row: HTMLElement, x: number, y: number, ghost?: HTMLElement, over?: Element | null, address: string } | null} */
let drag = null;
let isDropped = false;

/** @param {PointerEvent} event */
function press(event) {
  const target = /** @type {Element} */ (event.target);
  const row = /** @type {HTMLElement | null} */ (target.closest("[data-drag]"));
  isDropped = false;
  if (!row || !event.isPrimary || event.button || !(event.pointerType === "mouse" || target.closest(".grip"))) return;
  drag = { row, x: event.clientX, y: event.clientY, address: "" };
}

/** @param {PointerEvent} event */
function move(event) {
  if (!drag || !event.isPrimary) return;
  const { row, x, y } = drag;
  if (!drag.ghost && Math.hypot(event.clientX - x, event.clientY - y) < START) return;
  drag.ghost ||= lift(row);
  drag.ghost.style.translate = `${event.clientX + 12}px ${event.clientY - 12}px`;
  if (event.clientY < EDGE || event.clientY > innerHeight - EDGE) scrollBy(0, event.clientY < EDGE ? -EDGE / 4 : EDGE / 4);
  const under = document.elementFromPoint(event.clientX, event.clientY);
  const over = under?.closest("[data-to]") ?? null;
  const address = over ? addressOf(row, over, under) : "";
  if (address === drag.address) return;
  drag.over?.classList.remove("is-over");
  over?.classList.add("is-over");
  Object.assign(drag, { over, address });
  show(drag, row);
}

/** @param {HTMLElement} row */
function lift(row) {
  const ghost = document.createElement("div");
  ghost.className = "panel drag-ghost";
  ghost.setAttribute("role", "status");
  ghost.append(document.createElement("b"), document.createElement("span"));
  /** @type {HTMLElement} */ (ghost.firstChild).textContent = row.dataset.name ?? "";
  row.classList.add("is-dragged");
  document.body.append(ghost);
  return ghost;
}

/**
 * @param {HTMLElement} row
 * @param {Element} over
 * @param {Element | null} under
 */
function addressOf(row, over, under) {
  const { plan } = /** @type {HTMLElement} */ (over.closest("[data-plan]")).dataset;
  const { to } = /** @type {HTMLElement} */ (over).dataset;
  const on = /** @type {HTMLElement | null | undefined} */ (under?.closest("[data-drag]"));
  return `?${new URLSearchParams({ plan: plan ?? "", move: row.dataset.drag ?? "", to: to ?? "", on: on?.dataset.drag ?? "" })}`;
}

// Shows beside the name what its table would cost, as the page shows it after the drop.
async function show(dragged, row) {
  const said = dragged.ghost.lastChild;
  said.textContent = "";
  const { address } = dragged;
  const answer = address && (await fetch(address).catch(() => null));
  const page = answer && new DOMParser().parseFromString(await answer.text(), "text/html");
  const there = page && page.querySelector(`[data-drag="${row.dataset.drag}"]`)?.closest("[data-to]");
  if (dragged.address === address) said.textContent = (there && there.querySelector("[data-cost]")?.textContent?.trim()) || "";
}

/** @param {string} address */
function end(address) {
  if (!drag) return;
  isDropped = Boolean(drag.ghost);
  drag.ghost?.remove();
  drag.over?.classList.remove("is-over");
  drag.row.classList.remove("is-dragged");
  drag = null;
  if (address) location.assign(address);
}

document.addEventListener("pointerdown", press);
document.addEventListener("pointermove", move);
document.addEventListener("pointerup", () => end(drag?.address ?? ""));
document.addEventListener("pointercancel", () => end(""));
document.addEventListener("keydown", (event) => event.key === "Escape" && end(""));
document.addEventListener("dragstart", (event) => drag && event.preventDefault());
// the press on a button that was dragged is no tap
document.addEventListener("click", (event) => isDropped && event.detail && event.preventDefault(), { capture: true });
