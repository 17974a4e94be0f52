// @ts-check
// The drill by keys: 1 to 4 answer; Enter goes on, since the link to the next question has the focus.

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !/^[1-9]$/.test(event.key)) return;
  const option = document.querySelectorAll("[data-drill] [data-option]")[Number(event.key) - 1];
  if (!(option instanceof HTMLButtonElement)) return;
  event.preventDefault();
  option.click();
});

for (const hint of document.querySelectorAll("[data-keys]")) hint.removeAttribute("hidden");
