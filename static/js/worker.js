// @ts-check
// Keeps the pages of one event and opens them, with the time of their last state, without a network. Served as /e/SLUG/worker.js
// behind its facts (tournament/access/devices.py): KEPT = { event: "/e/cup/", name, files: [...], words: { de: {...} } }. It handles only the
// event's folder and the files that its pages need.

const PATIENCE = 4000; // milliseconds; a hall's network is often connected without answering
const MOST = 24; // pages
const HEADER = "X-Kept-At";
const worker = /** @type {any} */ (self); // TypeScript takes this for a page
const { event: EVENT, name: NAME, files: FILES, words: WORDS } = KEPT;

// A newer worker takes over when all pages of the event are closed. With skipWaiting Chromium loses the answer to a page that is opened
// at that moment: the phone waits until somebody reloads it.
worker.addEventListener("install", (happening) => {
  happening.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FILES)));
});

worker.addEventListener("activate", (happening) => {
  happening.waitUntil(
    (async () => {
      for (const name of await caches.keys()) {
        if (name.startsWith(`${EVENT} `) && name !== NAME) await caches.delete(name);
      }
      await worker.clients.claim();
    })(),
  );
});

// `at`: before what the page learned after this answer, which it shows in the kept one: live_fragment.js. To write it takes a while.
async function keep(path, response, at) {
  const cache = await caches.open(NAME);
  const headers = new Headers(response.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  headers.set(HEADER, String(at));
  await cache.delete(path, { ignoreVary: true });
  await cache.put(path, new Response(await response.text(), { headers }));
  const pages = (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith(EVENT));
  await Promise.all(pages.slice(0, -MOST).map((page) => cache.delete(page, { ignoreVary: true })));
}

async function open(path) {
  const found = await (await caches.open(NAME)).match(path, { ignoreVary: true });
  if (!found) return null;
  const at = found.headers.get(HEADER);
  const text = (await found.text()).replace("<body ", `<body data-kept-at="${at}" `);
  return new Response(text, { headers: found.headers });
}

// A page that is gone opens no more, also without a network; without its first page the event is hidden, and nothing of it stays.
async function forget(path) {
  if (path === EVENT) await caches.delete(NAME);
  else await (await caches.open(NAME)).delete(path, { ignoreVary: true });
}

// A page that is not kept: say so in the language of the page that was opened last, and lead to those that are kept.
async function without(path) {
  const cache = await caches.open(NAME);
  const links = [];
  let [lang] = Object.keys(WORDS);
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url);
    if (!pathname.startsWith(EVENT)) continue;
    const text = await (await cache.match(url, { ignoreVary: true })).text();
    links.push(`<li><a href="${pathname}">${/<title>([^<]*)/.exec(text)?.[1] || pathname}</a></li>`);
    const shown = /<html lang="([^"]*)/.exec(text)?.[1] || "";
    if (shown in WORDS) lang = shown;
  }
  const words = WORDS[lang];
  const style = FILES.find((file) => file.endsWith(".css"));
  const page = `<!DOCTYPE html><html lang="${lang}"><head><meta charset="utf-8"><title>${words.head}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="${style}"></head>
<body><main class="page stack"><h1>${words.head}</h1><p>${words.text}</p><ul class="links">${links.join("")}</ul>
<p><a class="button" href="${path}">${words.again}</a></p></main></body></html>`;
  return new Response(page, { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } });
}

const later = (milliseconds) =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

async function answer(happening, path) {
  const asked = fetch(happening.request).then(async (response) => {
    if (response.ok && response.type === "basic") happening.waitUntil(keep(path, response.clone(), Date.now()));
    if (response.status === 404) happening.waitUntil(forget(path));
    return response.status >= 500 ? (await open(path)) || response : response;
  });
  const soon = await Promise.race([asked.catch(() => null), later(PATIENCE)]);
  return soon || (await open(path)) || asked.catch(() => without(path));
}

worker.addEventListener("fetch", (happening) => {
  const { request } = happening;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (FILES.includes(url.pathname)) {
    happening.respondWith(caches.match(request, { ignoreVary: true }).then((found) => found || fetch(request)));
  } else if (request.mode === "navigate" && url.pathname.startsWith(EVENT)) {
    const asked = () => fetch(request).catch(() => without(url.pathname));
    happening.respondWith(url.search ? asked() : answer(happening, url.pathname));
  }
});

worker.addEventListener("message", (happening) => {
  const path = happening.data?.keep || "";
  if (!path.startsWith(EVENT)) return;
  const at = Date.now();
  happening.waitUntil(
    fetch(path).then(
      (response) => (response.ok ? keep(path, response, at) : null),
      () => null,
    ),
  );
});

// The desk tells this phone where its player sits: see push_subscribe.js.
worker.addEventListener("push", (happening) => {
  const told = happening.data.json();
  const options = { body: told.body, lang: told.lang, tag: "table", renotify: true, data: { url: told.url } };
  happening.waitUntil(worker.registration.showNotification(told.title, options));
});

worker.addEventListener("notificationclick", (happening) => {
  happening.notification.close();
  const { url } = happening.notification.data;
  const show = async () => {
    const pages = await worker.clients.matchAll({ type: "window" });
    const open_ = pages.find((page) => new URL(page.url).pathname.startsWith(EVENT));
    return open_ ? open_.focus() : worker.clients.openWindow(url);
  };
  happening.waitUntil(show());
});
