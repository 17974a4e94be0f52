// The clock on the wall: which signal comes next, and a sound at each once somebody has asked for it. The time itself is
// told by clock.js ("clock-tick"), what the screen can do stands in wall_screen.js; nothing here is counted.

import "./wall_screen.js";

const LATE = 3000; // ms: a signal that was slept through is not sounded afterwards
const button = (name) => document.querySelector(`[data-wall-${name}]`);

let before = 0;
let audio = null;

function tones(minutes) {
  if (minutes === 0) return [[440, 0, 1.2], [440, 1.5, 1.2], [440, 3, 2]];
  return minutes <= 5 ? [[660, 0, 0.35], [660, 0.5, 0.35]] : [[660, 0, 0.35]];
}

function sound(minutes) {
  if (!audio) return;
  for (const [pitch, from, length] of tones(minutes)) {
    const start = audio.currentTime + 0.05 + from;
    const wave = audio.createOscillator();
    const volume = audio.createGain();
    wave.frequency.value = pitch;
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(0.6, start + 0.03);
    volume.gain.exponentialRampToValueAtTime(0.001, start + length);
    wave.connect(volume).connect(audio.destination);
    wave.start(start);
    wave.stop(start + length + 0.05);
  }
}

document.addEventListener("clock-tick", ({ detail: { now } }) => {
  let next = null;
  for (const item of document.querySelectorAll(".wall-signals [data-at]")) {
    const at = Number(item.dataset.at);
    item.classList.toggle("is-past", at <= now);
    if (at > now && (!next || at < Number(next.dataset.at))) next = item;
    if (before && before < at && at <= now && now - at < LATE) sound(Number(item.dataset.minutes));
  }
  for (const item of document.querySelectorAll(".wall-signals [data-at]")) item.classList.toggle("is-next", item === next);
  before = now;
  const may = document.querySelector("[data-sound]")?.dataset.sound === "on";
  button("sound").hidden = !may || !window.AudioContext;
  if (!may && audio) hush();
});

function hush() {
  audio?.close();
  audio = null;
  button("sound").setAttribute("aria-pressed", "false");
}

button("sound").addEventListener("click", () => {
  if (audio) { hush(); return; }
  audio = new AudioContext();
  button("sound").setAttribute("aria-pressed", "true");
  sound(15); // so that everybody hears that it works
});
