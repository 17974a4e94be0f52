// @ts-check
// A button that prints the page it stands on; without scripts the browser's own menu does.

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
