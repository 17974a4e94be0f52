// @ts-check
// Shares a page with its picture, where the browser can; elsewhere the link opens the picture.
//
// <a href="/e/cup/players/6/card.png?v=…" data-share="Ada Moss">

async function pictureOf(link) {
  const answer = await fetch(link.href);
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return new File([await answer.blob()], "result.png", { type: "image/png" });
}

async function share(link) {
  const page = { title: document.title, text: link.dataset.share, url: location.href.split(/[?#]/)[0] };
  const withPicture = { ...page, files: [await pictureOf(link)] };
  await navigator.share(navigator.canShare?.(withPicture) ? withPicture : page);
}

document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest?.("[data-share]");
  if (!link || !navigator.share) return;
  event.preventDefault();
  share(link).catch((error) => {
    if (error.name !== "AbortError") location.assign(/** @type {HTMLAnchorElement} */ (link).href);
  });
});
