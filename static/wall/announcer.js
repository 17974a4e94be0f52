// @ts-check
// The prize giving by keys and by a presenter's remote, which sends Page Down and Page Up. A press held down counts once. Each press
// opens the page again: this is no module, so that it listens before the page is seen, and a press before the buttons waits for them.

{
  const NEXT = ["PageDown", "ArrowRight", "ArrowDown", " "];
  const BACK = ["PageUp", "ArrowLeft", "ArrowUp"];

  /** @param {string} name */
  const press = (name) => /** @type {HTMLElement | null} */ (document.querySelector(`[data-${name}]`))?.click();

  addEventListener("keydown", (event) => {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/** @type {Element} */ (event.target).closest?.("input, select, textarea, button, a")) return;
    const name = NEXT.includes(event.key) ? "next" : BACK.includes(event.key) ? "back" : "";
    if (!name) return;
    event.preventDefault();
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", () => press(name), { once: true });
    else press(name);
  });
}
