// The page of the calculator: keeps rules and hand in the address, so that they can be shared and loaded again.

import "./tile_answer.js"; // listens before the picker first speaks
import "./tile_picker.js";

const PAUSE = 300; // browsers count how often an address changes

for (const form of document.querySelectorAll("[data-counting][data-keep-address]")) {
  let timer = 0;
  form.addEventListener("hand-changed", () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const fields = new URLSearchParams(new FormData(form));
      if (!fields.get("line")) fields.delete("line");
      history.replaceState(null, "", `?${fields}`);
    }, PAUSE);
  });
}
