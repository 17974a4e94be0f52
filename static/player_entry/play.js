// @ts-check
// The page behind the club's code: the running sum of a sheet, a form that is sent until the desk answers, and what the others say.
// The page works without it: a wrong sum is refused, and loading it again shows the newest state.

const PAUSE = 4000;
const UNREACHED = [502, 503, 504]; // what a proxy says while the desk restarts
const main = /** @type {HTMLElement} */ (document.getElementById("main"));
let sending = false;

/** Read points as the desk does: 45200, 45.2 or 45; NaN for anything else. */
export function pointsOf(text) {
  const plain = text.trim().replace("−", "-");
  if (/^[-+]?(\d{1,2}|\d{1,3}[.,]\d)$/.test(plain)) return Math.round(Number(plain.replace(",", ".")) * 1000);
  return /^[-+]?(\d{1,7}|\d{1,3}([ ,.'’\u00a0\u202f]\d{3})+)$/.test(plain) ? Number(plain.replace(/[^-\d]/g, "")) : Number.NaN;
}

function sum() {
  for (const minus of main.querySelectorAll("[data-minus]")) minus.hidden = false;
  const form = main.querySelector("form[data-wanted]");
  if (!form) return;
  const counts = [...form.querySelectorAll("[data-count]")].map((field) => pointsOf(field.value) || 0);
  const left = form.querySelector("[data-left]");
  const sticks = pointsOf(left.value.trim().length < 3 ? `${(Number(left.value) || 0) * Number(left.dataset.left)}` : left.value) || 0;
  const total = counts.reduce((all, one) => all + one, sticks);
  const missing = Number(form.dataset.wanted) - total;
  const said = form.querySelector("[data-sum]");
  const words = missing ? (missing > 0 ? said.dataset.missing : said.dataset.over) : said.dataset.right;
  const number = new Intl.NumberFormat(document.documentElement.lang);
  said.textContent = words.replace("{sum}", number.format(total)).replace("{left}", number.format(Math.abs(missing)));
}

/** Show the main part of an answer in place of this one; seats and the table that were chosen stay where they can. */
function show(text) {
  const at = main.querySelector("#hall-table")?.value;
  const next = new DOMParser().parseFromString(text, "text/html").getElementById("main");
  const chosen = [...main.querySelectorAll("select")].filter((field) => field.value);
  if (next) main.innerHTML = next.innerHTML;
  for (const { id, value } of chosen) {
    const option = main.querySelector(`#${id} option[value="${value}"]`);
    if (option instanceof HTMLOptionElement && !option.closest("select").value) option.selected = true;
  }
  const place = main.querySelector("#hall-table");
  if (at && place instanceof HTMLInputElement && !place.value) place.value = at;
  sum();
}

async function send(form, button) {
  if (sending) return;
  sending = true;
  const body = new FormData(form, button);
  for (;;) {
    try {
      const answer = await fetch(location.pathname, { method: "POST", body, credentials: "same-origin" });
      if (UNREACHED.includes(answer.status)) throw new Error("The desk did not answer.");
      show(await answer.text());
      break;
    } catch {
      const waits = main.querySelector("[data-waits]");
      if (waits instanceof HTMLElement) waits.hidden = false;
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }
  sending = false;
}

async function look() {
  const isTyping = [...main.querySelectorAll("[data-count], #words")].some((field) => field.value);
  if (sending || isTyping || document.hidden) return;
  const at = main.querySelector("[data-play]")?.dataset.play ?? "";
  try {
    const answer = await fetch(`${location.pathname}?at=${at}`, { credentials: "same-origin" });
    if (answer.status === 200 && !sending) show(await answer.text());
  } catch {
    // without a network the page stays as it is
  }
}

main.addEventListener("input", sum);
main.addEventListener("click", (event) => {
  const minus = event.target instanceof Element && event.target.closest("[data-minus]");
  if (!minus) return;
  const field = minus.parentElement.querySelector("input");
  field.value = /^[-−]/.test(field.value) ? field.value.slice(1) : `-${field.value}`;
  field.focus();
  sum();
});
main.addEventListener("submit", (event) => {
  event.preventDefault();
  void send(event.target, event.submitter);
});
setInterval(look, PAUSE);
document.addEventListener("visibilitychange", look);
sum();
