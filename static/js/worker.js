// Keeps the pages of one event and opens them, with the time of their last state, when the network is away. Stands at
// /e/SLUG/worker.js with its facts before it (web/access/install.py): KEPT = { event: "/e/cup/", name, files: [...] }.
// It never touches what is outside the event's folder but the files that its pages are made of, and never the desk.

const PATIENCE = 4000; // a hall's network is often there without answering
const MOST = 24; // pages
const HEADER = "X-Kept-At";
const { event: EVENT, name: NAME, files: FILES } = KEPT;

self.addEventListener("install", (happening) => {
  happening.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (happening) => {
  happening.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith(`${EVENT} `) && name !== NAME) await caches.delete(name);
    }
    await self.clients.claim();
  })());
});

async function keep(path, response) {
  const cache = await caches.open(NAME);
  const headers = new Headers(response.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  headers.set(HEADER, Date.now());
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

const later = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

async function answer(happening, path) {
  const asked = fetch(happening.request).then(async (response) => {
    if (response.ok && response.type === "basic") happening.waitUntil(keep(path, response.clone()));
    return response.status >= 500 ? (await open(path)) || response : response;
  });
  const soon = await Promise.race([asked.catch(() => null), later(PATIENCE)]);
  return soon || (await open(path)) || asked;
}

self.addEventListener("fetch", (happening) => {
  const { request } = happening;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (FILES.includes(url.pathname)) {
    happening.respondWith(caches.match(request, { ignoreVary: true }).then((found) => found || fetch(request)));
  } else if (request.mode === "navigate" && url.pathname.startsWith(EVENT) && !url.search) {
    happening.respondWith(answer(happening, url.pathname));
  }
});

self.addEventListener("message", (happening) => {
  const path = happening.data?.keep || "";
  if (!path.startsWith(EVENT)) return;
  happening.waitUntil(fetch(path).then((response) => (response.ok ? keep(path, response) : null), () => null));
});
