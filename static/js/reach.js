// Whether the desk can be reached, as far as this page knows: whoever asks the desk anything says "desk-answers" or "desk-silent" on the
// document. It decides nothing, and asks only when it is told to.

const LONGEST = 1200; // milliseconds; a hall's network that takes longer is no network for a referee who types
const LONGEST_SILENT = 300; // where nothing was heard before either

let silent = false;

document.addEventListener("desk-answers", () => { silent = false; });
document.addEventListener("desk-silent", () => { silent = true; });
addEventListener("offline", () => document.dispatchEvent(new Event("desk-silent")));

// Whether the last that was heard of the desk was nothing.
export const isSilent = () => silent;

// Asks the desk for a sign of life; false where none comes in time. `late` is called if it comes after that.
export async function answers(late = () => {}) {
  const url = document.body.dataset.versionUrl;
  if (!url) return true;
  const asked = fetch(url, { cache: "no-store", credentials: "same-origin" }).then(() => true, () => false);
  const slow = new Promise((resolve) => setTimeout(resolve, silent ? LONGEST_SILENT : LONGEST, null));
  const found = await Promise.race([asked, slow]);
  if (found === null) asked.then((came) => { if (came) tell(true, late); });
  tell(found === true);
  return found === true;
}

function tell(isThere, then = () => {}) {
  document.dispatchEvent(new Event(isThere ? "desk-answers" : "desk-silent"));
  then();
}
