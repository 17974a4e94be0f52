// @ts-check
// Moments of an event: shown once on each device while they are new, over the page, for some seconds. What is corrected or voided
// meanwhile goes with the live part that had it.
//
// <template data-moment="2-4-17-0" data-at="1790000000000"><div class="moment">…</div></template>

const FOR = 12_000;
const NEW = 10 * 60_000;
const SEEN = `moments ${document.querySelector("link[rel=manifest]")?.getAttribute("href") || location.pathname}`;

/** @type {Set<string>} */
const seen = new Set();
let shown = "";
let timer = 0;

try {
  for (const key of JSON.parse(localStorage.getItem(SEEN) || "[]")) seen.add(key);
} catch {
  /* no storage: once on each page */
}

/** @param {string} key */
function note(key) {
  seen.add(key);
  try {
    localStorage.setItem(SEEN, JSON.stringify([...seen].slice(-100)));
  } catch {
    /* as above */
  }
}

function close() {
  clearTimeout(timer);
  shown = "";
  document.querySelector("body > .moment")?.remove();
}

function look() {
  const all = /** @type {HTMLTemplateElement[]} */ ([...document.querySelectorAll("template[data-moment]")]);
  const same = all.find((each) => each.dataset.moment === shown);
  if (!same) close();
  else if (document.querySelector("body > .moment")?.outerHTML !== same.innerHTML)
    document.querySelector("body > .moment")?.replaceWith(same.content.cloneNode(true));
  const next = all.find(({ dataset }) => !seen.has(dataset.moment || "") && Date.now() - Number(dataset.at) < NEW);
  if (shown || !next) return;
  shown = next.dataset.moment || "";
  note(shown);
  document.body.append(next.content.cloneNode(true));
  timer = setTimeout(() => {
    close();
    look();
  }, FOR);
}

document.addEventListener("live-swapped", look);
document.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element) || !target.closest("[data-close-moment]")) return;
  close();
  look();
});
look();
