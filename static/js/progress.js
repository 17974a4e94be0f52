// @ts-check
// Says that the desk is at work: what was clicked or sent, after half a second, until the next page or the file is there. A file does not
// change the page: the desk takes the cookie "file-wanted" away when it answers with one. Messages of a page are closed here, too.

const AFTER = 500;
const LOOK = 250;
const MOST = 120_000; // a page that was stopped by hand does not say so
const READ = 8000; // how long a message stays that asks for nothing
const COOKIE = "file-wanted";
const FILE = /\.(pdf|xlsx|csv|json|zip|toml)$/;
const LETTERS = 60;

const status = /** @type {HTMLElement | null} */ (document.querySelector("[data-busy]"));
let starts = 0;
let looks = 0;
let ends = 0;

const isFile = (url) => FILE.test(url.pathname) || url.searchParams.has("file");
const words = (node) => (node?.getAttribute("aria-label") || node?.textContent || "").replace(/\s+/g, " ").trim().slice(0, LETTERS);

function end() {
  clearTimeout(starts);
  clearInterval(looks);
  clearTimeout(ends);
  if (status) status.textContent = "";
  document.querySelector("[data-at-work]")?.removeAttribute("aria-busy");
  document.querySelector("[data-at-work]")?.removeAttribute("data-at-work");
}

function begin(node) {
  end();
  if (!status) return;
  starts = window.setTimeout(() => {
    status.textContent = (status.dataset.busy || "").replace("{what}", words(node));
    node?.setAttribute("aria-busy", "true");
    node?.setAttribute("data-at-work", "");
  }, AFTER);
  ends = window.setTimeout(end, MOST);
}

function waitForFile() {
  // biome-ignore lint/suspicious/noDocumentCookie: the desk answers by taking it away
  document.cookie = `${COOKIE}=1; path=/; max-age=${MOST / 1000}; samesite=lax`;
  looks = window.setInterval(() => {
    if (!document.cookie.includes(`${COOKIE}=`)) end();
  }, LOOK);
}

document.addEventListener("click", (event) => {
  const link = /** @type {HTMLElement} */ (event.target).closest?.("a[href]");
  if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button !== 0) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || link.target || link.origin !== location.origin) return;
  const url = new URL(link.href);
  if (url.hash && url.pathname === location.pathname && url.search === location.search) return;
  begin(link);
  if (isFile(url)) waitForFile();
});

document.addEventListener("submit", (event) => {
  if (!event.defaultPrevented) begin(event.submitter || /** @type {HTMLElement} */ (event.target).querySelector("[type=submit]"));
});

addEventListener("pageshow", (event) => {
  if (event.persisted) end();
});

for (const close of document.querySelectorAll("[data-close-message]")) {
  const message = /** @type {HTMLElement} */ (close.parentElement);
  close.removeAttribute("hidden");
  close.addEventListener("click", () => message.remove());
  if (!message.querySelector(".is-error, .is-warning")) {
    const leave = () => (message.matches(":hover, :focus-within") ? setTimeout(leave, READ) : message.remove());
    setTimeout(leave, READ);
  }
}
