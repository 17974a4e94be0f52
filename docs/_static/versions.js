// Fills the choice of versions in the menu; without it, or with one version, the menu has none.
(async () => {
  const choice = document.querySelector("select.versions");
  const list = new URL(choice.dataset.list, location.href);
  const versions = await (await fetch(list)).json();
  for (const version of versions) {
    choice.add(new Option(version, version, false, version === choice.dataset.here));
  }
  choice.hidden = versions.length < 2;
  choice.addEventListener("change", () => {
    location.href = new URL(`${choice.value}/`, list);
  });
})();
