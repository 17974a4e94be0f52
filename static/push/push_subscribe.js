// @ts-check
// The button of the phone page that lets the desk tell this phone of its player's table, by the push service of the browser.
// Only where the browser can: https, a worker, and on an iPhone a page that was put on the home screen.
//
// <button id="tell" hidden data-tell="/e/cup/tell/" data-key="BJ…" data-player="12" data-followed="12 7"><span data-off>…<span data-on hidden>…</button>
// <span data-wrong hidden>…</span>

const button = /** @type {HTMLButtonElement | null} */ (document.getElementById("tell"));

function keyOf(text) {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (sign) => sign.charCodeAt(0));
}

async function send(facts) {
  const answer = await fetch(button.dataset.tell, { method: "POST", body: JSON.stringify(facts), credentials: "same-origin" });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
}

// which player the desk knows this phone by: it may show another one since, whom it is told of once that one is not followed any more
const NOTED = `tell ${button?.dataset.tell}`;

function noted(player) {
  try {
    if (player === undefined) return localStorage.getItem(NOTED);
    localStorage.setItem(NOTED, player);
  } catch {
    // a browser that keeps nothing says it each time
  }
  return null;
}

function show(isOn) {
  button.setAttribute("aria-pressed", String(isOn));
  /** @type {HTMLElement} */ (button.querySelector("[data-off]")).hidden = isOn;
  /** @type {HTMLElement} */ (button.querySelector("[data-on]")).hidden = !isOn;
}

async function ask(subscription) {
  await send(subscription.toJSON());
  noted(button.dataset.player);
}

async function change(worker) {
  const known = await worker.pushManager.getSubscription();
  if (known && button.getAttribute("aria-pressed") === "true") {
    await send({ endpoint: known.endpoint, off: true });
    await known.unsubscribe();
    return false;
  }
  const options = { userVisibleOnly: true, applicationServerKey: keyOf(button.dataset.key) };
  await ask(known || (await worker.pushManager.subscribe(options)));
  return true;
}

async function begin() {
  const worker = await navigator.serviceWorker.ready;
  const known = await worker.pushManager.getSubscription();
  const { player, followed = "" } = button.dataset;
  if (known && noted() !== player && !followed.split(" ").includes(noted() || "-")) await ask(known).catch(() => {});
  show(Boolean(known) && (noted() || player) === player);
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    const wrong = /** @type {HTMLElement} */ (button.parentElement.querySelector("[data-wrong]"));
    try {
      show(await change(worker));
      wrong.hidden = true;
    } catch {
      wrong.hidden = false; // refused by the reader, the browser or the desk: nothing is told
    } finally {
      button.disabled = false;
    }
  });
}

if (button && window.isSecureContext && "serviceWorker" in navigator && "PushManager" in window) begin();
