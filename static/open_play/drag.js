// @ts-check
// Drags a name of the tables page (open_play/evening.html): to a table, a new one, back to who waits, or onto a name to change places. A mouse
// drags the row, a finger its grip, so that the list still scrolls. What a drop leads to and costs is the desk's: the page with the plan after it.

const START = 6; // pixels before a press is a drag
const EDGE = 48; // pixels at the edge of the window, in which it scrolls
let drag = null;
let isDropped = false;

function press(event) {
  const row = event.target.closest("[data-drag]");
  isDropped = false;
  if (!row || !event.isPrimary || event.button || !(event.pointerType === "mouse" || event.target.closest(".grip"))) return;
  drag = { row, number: row.dataset.drag, x: event.clientX, y: event.clientY, ghost: null, over: null, address: "" };
}

function move({ clientX: x, clientY: y, isPrimary }) {
  if (!drag || !isPrimary || (!drag.ghost && Math.hypot(x - drag.x, y - drag.y) < START)) return;
  if (!drag.ghost) lift();
  drag.ghost.style.translate = `${x + 12}px ${y - 12}px`;
  if (y < EDGE || y > innerHeight - EDGE) scrollBy(0, y < EDGE ? -EDGE / 4 : EDGE / 4);
  const under = /** @type {any} */ (document.elementFromPoint(x, y));
  const over = under?.closest("[data-to]");
  const on = under?.closest("[data-drag]")?.dataset.drag ?? "";
  const { plan } = over?.closest("[data-plan]").dataset ?? {};
  const address = over ? `?${new URLSearchParams({ plan, move: drag.number, to: over.dataset.to, on })}` : "";
  if (address === drag.address) return;
  drag.over?.classList.remove("is-over");
  over?.classList.add("is-over");
  Object.assign(drag, { over, address });
  show(drag);
}

function lift() {
  drag.ghost = document.createElement("div");
  drag.ghost.className = "panel drag-ghost";
  drag.ghost.append(document.createElement("b"), document.createElement("span"));
  drag.ghost.firstChild.textContent = drag.row.dataset.name;
  drag.row.classList.add("is-dragged");
  document.body.append(drag.ghost);
}

// Shows beside the name what its table would cost, as the page shows it after the drop.
async function show(dragged) {
  const { address, number, ghost } = dragged;
  ghost.lastChild.textContent = "";
  const answer = address && (await fetch(address).catch(() => null));
  const page = answer ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  const cost = page?.querySelector(`[data-drag="${number}"]`)?.closest("[data-to]").querySelector("[data-cost]");
  if (dragged.address === address) ghost.lastChild.textContent = cost?.textContent.trim() ?? "";
}

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
document.addEventListener("pointerup", () => end(drag?.address));
document.addEventListener("pointercancel", () => end(""));
document.addEventListener("keydown", (event) => event.key === "Escape" && end(""));
document.addEventListener("dragstart", (event) => drag && event.preventDefault());
// the press on a button that was dragged is no tap
document.addEventListener("click", (event) => isDropped && event.detail && event.preventDefault(), { capture: true });
