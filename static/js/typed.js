// Whether somebody has typed into a form and not sent it. Pure reading of the page; shared by presence and the watch of a table.

const FIELDS = "input, select, textarea";
const NEVER = new Set(["hidden", "submit", "button", "search"]);

function isChanged(field) {
  if (NEVER.has(field.type)) return false;
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
  if (field.localName === "select") return field.selectedIndex !== Math.max(0, [...field.options].findIndex((option) => option.defaultSelected));
  return field.value !== field.defaultValue;
}

// The hand line counts as typed as soon as anything stands in it: the server may have filled it in.
export function isTyped(root) {
  if (!root) return false;
  return [...root.querySelectorAll(FIELDS)].some((field) => isChanged(field) || ("keepFocus" in field.dataset && field.value !== ""));
}
