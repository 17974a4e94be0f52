"""Open pages on a phone or on a laptop and keep what is wrong with them: too wide, too loud, too small for fingers."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.urls import resolve

if TYPE_CHECKING:
    from playwright.sync_api import Page

# What makes a page wider than its window, named by its last three elements.
WIDE = """() => {
    const root = document.documentElement;
    if (root.scrollWidth <= root.clientWidth) return [];
    const wide = [...document.querySelectorAll("body *")].filter((node) => {
        const box = node.getBoundingClientRect();
        return box.width && box.right > root.clientWidth + 0.4;
    });
    const names = wide.slice(-3).map((node) => `${node.localName}.${node.getAttribute("class") || ""}`);
    return [`${root.scrollWidth} wide on ${root.clientWidth}: ${names.join(", ")}`];
}"""
# What fingers aim at; links in running text are left out.
LOOK = (
    f"(touch) => {{ const found = ({WIDE})();"
    """
    const TARGETS = "button, input, select, textarea, summary, a.button, nav a, a.tile, a.mark, .pick-names a";
    if (!document.documentElement.lang) found.push("no language");
    const heads = document.querySelectorAll("h1").length;
    if (heads !== 1) found.push(`${heads} h1`);
    if (!document.title.trim()) found.push("no title");
    const shown = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const acts = [...document.querySelectorAll("main .button.is-main")];
    const mains = acts.filter((node) => shown(node) && !node.closest("dialog"));
    if (document.body.matches(".is-desk") && mains.length > 1) {
        found.push(`${mains.length} main acts: ${mains.map((node) => node.textContent.trim()).join(", ")}`);
    }
    if (!touch) return found;
    for (const node of document.querySelectorAll(TARGETS)) {
        if (node.type === "hidden" || !shown(node)) continue;
        // a box to tick is as large as the label around it
        const label = node.matches("[type=checkbox], [type=radio]") ? node.closest("label") || node.labels[0] : null;
        const box = (label || node).getBoundingClientRect();
        if (box.width <= 1 || box.height <= 1) continue;  // read aloud only
        if (box.height < 43.5 || box.width < 43.5) {
            const name = node.id || node.name || node.textContent.trim().slice(0, 24);
            found.push(`${node.tagName.toLowerCase()} ${name}: ${Math.round(box.width)} × ${Math.round(box.height)}`);
        }
    }
    return found;
}"""
)


class Looker:
    """Opens pages and keeps what is wrong with them; on a phone, on a laptop or on both, as `turns` says of each."""

    def __init__(
        self, open_one: Callable[..., "Page"], turns: Iterator[tuple[str, ...]], dealt: Iterator[bool]
    ) -> None:
        """Open a tab of each device."""
        self.tabs = {"phone": open_one(phone=True), "laptop": open_one()}
        self.turns, self.dealt = turns, dealt
        self.seen: set[str] = set()
        self.found: list[str] = []
        self.said: list[str] = []
        for tab in self.tabs.values():
            tab.on("console", lambda message: self.said.append(message.text) if message.type == "error" else None)

    def look(self, address: str, *, status: int = 200) -> None:
        """Open an address and look at the page."""
        self.seen.add(resolve(urlsplit(address).path).view_name)

        def reach(tab: "Page") -> None:
            answer = tab.goto(address)
            if answer is None or answer.status != status:
                self.found.append(f"{address}: {answer and answer.status} instead of {status}")

        self.look_after(address, reach)

    def walk(self, root: str, addresses: Iterable[str]) -> None:
        """Look at these pages below a root: at each once, and at the `dealt` part of their further states."""
        for address in addresses:
            seen = resolve(urlsplit(f"{root}{address}").path).view_name in self.seen
            if not seen or next(self.dealt):
                self.look(f"{root}{address}")

    def look_after(self, name: str, reach: Callable[["Page"], None]) -> None:
        """Look at the page that `reach` leads a tab to."""
        for device in next(self.turns):
            tab = self.tabs[device]
            reach(tab)
            tab.wait_for_load_state("load")  # until its styles are there, nothing has its size
            self.found += [f"{name}, {device}: {wrong}" for wrong in tab.evaluate(LOOK, device == "phone")]
            self.found += [f"{name}: {what}" for what in self.said if not what.startswith("Failed to load resource")]
            self.said.clear()
