// The page of referee calls: counts up how long each table has been waiting, and holds a refresh back while somebody types a ruling.
// Without scripts the page says since when.
//
// <span data-since="1767225600000">   milliseconds since 1970 on the server's clock, whose offset the page brought along

const offset = Number(document.body.dataset.serverNow || Date.now()) - Date.now();

function draw() {
  for (const node of document.querySelectorAll("[data-since]")) {
    const seconds = Math.max(0, Math.floor((Date.now() + offset - Number(node.dataset.since)) / 1000));
    const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (node.textContent !== text) node.textContent = text;
  }
}

function isTyping() {
  const fields = [...document.querySelectorAll("#calls input[type=text]")];
  return fields.some((field) => field === document.activeElement || field.value !== field.defaultValue);
}

document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.elt.id === "calls" && isTyping()) event.preventDefault();
});
document.addEventListener("htmx:afterSettle", draw);
draw();
setInterval(draw, 1000);
