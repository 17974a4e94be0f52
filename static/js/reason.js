// A hand with a warning wants a reason: Enter in the line goes there at once, before anything is sent, so that no letter typed next
// lands in the line. Without this script the server asks for it. It judges nothing: that a reason is wanted, and for which
// line, stands in what the server answered to the typing.

addEventListener("submit", (event) => {
  const form = event.target;
  const wanted = form.querySelector?.("[data-reason-for]");
  const reason = form.querySelector?.(".reason-field input");
  const line = form.elements.namedItem("line");
  if (!wanted || !reason || !line || reason.value.trim() || wanted.dataset.reasonFor !== line.value) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  reason.focus();
}, { capture: true });
