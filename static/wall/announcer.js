// @ts-check
// The prize giving by keys and by a presenter's remote, which sends Page Down and Page Up. A press held down counts once.

const NEXT = ["PageDown", "ArrowRight", "ArrowDown", " "];
const BACK = ["PageUp", "ArrowLeft", "ArrowUp"];

addEventListener("keydown", (event) => {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  if (/** @type {Element} */ (event.target).closest?.("input, select, textarea, button, a")) return;
  const name = NEXT.includes(event.key) ? "next" : BACK.includes(event.key) ? "back" : "";
  if (!name) return;
  event.preventDefault();
  /** @type {HTMLElement | null} */ (document.querySelector(`[data-${name}]`))?.click();
});
