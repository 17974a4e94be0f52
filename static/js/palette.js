// @ts-check
// The command palette: Ctrl K, a full stop outside a field, or its button. It searches what the desk lists for the reader's rights and
// the acts of this page with their shortcuts. The list is kept for the tab, so that it also opens without a network.

import { goTo } from "../hands/offline_table.js";

const dialog = /** @type {HTMLDialogElement | null} */ (document.getElementById("palette"));
const input = dialog?.querySelector("input");
const list = dialog?.querySelector("[role=listbox]");
const MOST = 12;
const FIELDS = "input, select, textarea, [contenteditable]";
const keptAs = () => `palette ${dialog.dataset.palette} ${dialog.dataset.who}`;

let items = [];
let shown = [];
let chosen = 0;

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();

function onPage() {
  const acts = [...document.querySelectorAll("main [aria-keyshortcuts]")];
  return acts
    .filter((act) => !act.closest("dialog") && act.getClientRects().length)
    .map((act) => ({
      label: act.getAttribute("aria-label") || act.getAttribute("placeholder") || act.textContent.trim().replace(/\s+/g, " "),
      more: "",
      keys: act.getAttribute("aria-keyshortcuts").replaceAll("+", " "),
      act,
    }))
    .filter((item) => item.label);
}

const partsOf = (text) => text.split(/[\s·,:’'-]+/);

// The items in which a word begins with each typed one: first a table by its number, then those found by their own name.
export function matching(all, typed) {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  const finds = (parts) => words.every((word) => parts.some((part) => part.startsWith(word)));
  const ranked = [];
  for (const item of all) {
    const label = partsOf(plain(item.label));
    if (!finds([...label, ...partsOf(`${plain(item.more)} ${item.fold ?? ""}`)])) continue;
    const isTable = item.keys && words.length === 1 && label.includes(words[0]);
    ranked.push([isTable ? 0 : finds(label) ? 1 : 2, item]);
  }
  return ranked.sort((one, other) => one[0] - other[0]).map(([, item]) => item);
}

function draw() {
  shown = matching([...onPage(), ...items], input.value).slice(0, MOST);
  chosen = 0;
  list.replaceChildren(...shown.map(row));
  dialog.querySelector("[data-palette-none]").hidden = shown.length > 0;
  mark();
}

function row(item, at) {
  const line = document.createElement("li");
  line.id = `palette-${at}`;
  line.setAttribute("role", "option");
  for (const [name, key] of [
    ["span", "label"],
    ["small", "more"],
    ["kbd", "keys"],
  ]) {
    if (!item[key]) continue;
    const part = document.createElement(name);
    part.textContent = item[key];
    line.append(part);
  }
  line.addEventListener("click", () => go(item));
  return line;
}

function mark() {
  [...list.children].forEach((line, at) => line.setAttribute("aria-selected", String(at === chosen)));
  list.children[chosen]?.scrollIntoView({ block: "nearest" });
  if (shown.length) input.setAttribute("aria-activedescendant", `palette-${chosen}`);
  else input.removeAttribute("aria-activedescendant");
}

function go(item) {
  dialog.close();
  if (!item) return;
  if (item.url) goTo(item.url);
  else if (item.act.matches(FIELDS)) item.act.focus();
  else item.act.click();
}

async function load() {
  const answer = await fetch(dialog.dataset.palette).catch(() => null);
  if (!answer?.ok) return; // the kept list stays
  items = (await answer.json()).items;
  sessionStorage.setItem(keptAs(), JSON.stringify(items));
  if (dialog.open) draw();
}

function open() {
  if (document.querySelector("dialog[open]")) return;
  items = JSON.parse(sessionStorage.getItem(keptAs()) ?? "[]");
  input.value = "";
  draw();
  dialog.showModal();
  load();
}

function keyDown(event) {
  const isK = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k";
  const isStop = event.key === "." && !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.closest?.(FIELDS);
  if (!event.defaultPrevented && !event.isComposing && (isK || isStop)) {
    event.preventDefault();
    open();
  }
}

function inInput(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.isComposing || (!step && event.key !== "Enter")) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.key === "Enter") go(shown[chosen]);
  else {
    chosen = Math.min(Math.max(chosen + step, 0), Math.max(shown.length - 1, 0));
    mark();
  }
}

if (dialog) {
  document.addEventListener("keydown", keyDown);
  input.addEventListener("keydown", inInput);
  input.addEventListener("input", draw);
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  const button = /** @type {HTMLElement} */ (document.querySelector("[data-palette-open]"));
  button.addEventListener("click", open);
  button.hidden = false;
}
