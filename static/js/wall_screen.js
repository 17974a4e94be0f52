// What every page on a wall can do with its screen: the whole of it, dark or light, and awake.
//
// <button data-wall-full hidden>   <button data-wall-light hidden>

const body = document.body;
const root = document.documentElement;
const button = (name) => document.querySelector(`[data-wall-${name}]`);

export function toggleFull() {
  if (document.fullscreenElement) document.exitFullscreen();
  else root.requestFullscreen?.().catch(() => {});
}

const LIGHT = "wall-light";
function show(light) {
  body.classList.toggle("is-dark", light === "dark");
  body.classList.toggle("is-light", light === "light");
}
const isDark = () => body.classList.contains("is-dark")
  || (!body.classList.contains("is-light") && matchMedia("(prefers-color-scheme: dark)").matches);

export function toggleLight() {
  const light = isDark() ? "light" : "dark";
  show(light);
  try { localStorage.setItem(LIGHT, light); } catch { /* no storage: for now only */ }
}

async function stayAwake() {
  if (document.hidden) return;
  try { await navigator.wakeLock?.request("screen"); } catch { /* only over https, and where it is allowed */ }
}

try { show(localStorage.getItem(LIGHT)); } catch { /* no storage: as the system says */ }
if (root.requestFullscreen && button("full")) {
  button("full").hidden = false;
  button("full").addEventListener("click", toggleFull);
}
if (button("light")) {
  button("light").hidden = false;
  button("light").addEventListener("click", toggleLight);
}
document.addEventListener("visibilitychange", stayAwake);
stayAwake();
