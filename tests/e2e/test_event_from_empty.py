"""Two events by their organiser, in a browser: from an empty desk to EMA's file and the list of prizes.

The pages count keys and clicks, and note what is typed with its field: no name and no number is asked twice.
"""

import csv
import datetime as dt
import re
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import openpyxl
import pytest
from django.db.models import F
from django.utils import timezone

from tests.e2e import desk_hands as desk
from tests.e2e.conftest import OpenTab
from tests.e2e.timeouts import expect
from tests.ema.ema_reader import read_ema
from tournament.accounts.actions import create_organiser_link
from tournament.tables.models import Round

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.slow, pytest.mark.nightly, pytest.mark.django_db(transaction=True)]

# a field is typed into when somebody changes it, and is noted when it is left or its form is sent
LISTEN = """
const typed = new WeakSet();
const note = (field) => {
    if (typed.has(field) && field.name && !["radio", "checkbox"].includes(field.type)) {
        noteAct({ kind: "value", page: location.pathname, field: field.name, value: field.value });
    }
};
const count = (kind) => (event) => { if (event.isTrusted) { noteAct({ kind }); } };
addEventListener("keydown", count("key"), true);
addEventListener("pointerdown", count("click"), true);
addEventListener("input", (event) => { typed.add(event.target); }, true);
addEventListener("change", (event) => { note(event.target); }, true);
addEventListener("submit", (event) => { for (const field of event.target.elements) { note(field); } }, true);
"""
COUNTRIES = (("NLD", "Felt Utrecht", "08"), ("DEU", "Torii Hamburg", "05"), ("GBR", "Lantern Leeds", "11"))
NAMES = (
    "Aldo", "Birte", "Cosmo", "Dagny", "Edmee", "Falk", "Gerrit", "Hedda", "Ivo", "Jorun", "Kaspar", "Liv", "Mirko",
    "Nele", "Osric", "Pia", "Quirin", "Runa", "Silvan", "Tilda", "Ubbo", "Vreni", "Wendel", "Xenia", "Yorick", "Zita",
    "Anselm", "Bodil", "Corvin", "Dorle", "Emmo", "Frauke",
)  # fmt: skip
# what is typed into these counts something of its own: a score of a table, the place that a prize is for
OWN_NUMBERS = re.compile(r"count-\d|total-\d|row-\d-of")


@dataclass(frozen=True)
class Trial:
    """An event, as its organiser knows it on the morning of its first day."""

    name: str
    book: str
    slug: str
    place: str
    days: str
    seats: int
    players: int
    hand: str  # of the table that is entered by hands, and what it makes there
    totals: tuple[int, ...]
    most: tuple[int, int]  # keys and clicks

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return sum(map(int, self.days.split("+")))

    @property
    def people(self) -> list[tuple[str, str, str, str]]:
        """The players as a club has them: name, country, club, EMA number."""
        homes = [COUNTRIES[at % len(COUNTRIES)] for at in range(self.players)]
        return [
            (f"{name} {name[::-1].title()}", country, club, f"{number}01{7000 + at}")
            for at, (name, (country, club, number)) in enumerate(zip(NAMES, homes, strict=False))
        ]

    def sheet(self, round_: int, table: int) -> list[float]:
        """Return what a table's sheet has, in thousands."""
        plus, minus = round_ * 10 + table * 0.7, round_ * 5 + table * 0.3
        two = [30 + plus, 30 - minus]
        return [*two, *([30 - table] if self.seats == 4 else []), 30 - plus + minus + (table if self.seats == 4 else 0)]


TRIALS = (
    Trial("SanMatsuri", "SanMatsuri 2026", "sanmatsuri-2026", "Eindhoven", "2", 3, 24,
          "1t 130", (31_000, 29_500, 29_500), (340, 90)),
    Trial("Rakkii Nomi", "Rakkii Nomi Spring 2026", "rakkii-nomi-2026", "Delft", "1+1", 4, 32,
          "2r3 340", (30_000, 35_200, 24_800, 30_000), (430, 100)),
)  # fmt: skip
PRIZES = (("1", "120", ""), ("2", "60", ""), ("3", "", "A set of tiles"))


@dataclass
class Organiser:
    """Somebody at a laptop, whose keys, clicks and typed values are counted."""

    page: "Page"
    keys: int = 0
    clicks: int = 0
    typed: set[tuple[str, str, str]] = field(default_factory=set)  # page, field, value

    def __post_init__(self) -> None:
        self.page.expose_binding("noteAct", self._note)
        self.page.add_init_script(LISTEN)

    def _note(self, _source: Any, act: dict[str, str]) -> None:
        self.keys += act["kind"] == "key"
        self.clicks += act["kind"] == "click"
        if act["kind"] == "value" and act["value"].strip():
            self.typed.add((act["page"], act["field"], act["value"].strip().casefold()))

    def click(self, name: str, role: Any = "button") -> None:
        """Click what is called so."""
        self.page.get_by_role(role, name=name, exact=True).first.click()

    def fill(self, label: str, text: str) -> None:
        """Type into a field over what is there."""
        box = self.page.get_by_label(re.compile(rf"^\s*{re.escape(label)}(\s+optional)?\s*$")).first
        box.click()
        if box.input_value():
            self.page.keyboard.press("Control+a")
        self.page.keyboard.type(text)

    def type_at(self, selector: str, text: str) -> None:
        """Type into the field there."""
        self.page.locator(selector).click()
        self.page.keyboard.type(text)

    def paste(self, label: str, rows: list[tuple[str, ...]]) -> None:
        """Paste rows that were copied elsewhere."""
        self.page.get_by_label(label, exact=True).first.click()
        self.page.keyboard.press("Control+v")
        self.page.keyboard.insert_text("\n".join("\t".join(row) for row in rows))
        self.typed |= {(self.page.url, "pasted", cell.casefold()) for row in rows for cell in row}

    def press(self, keys: str) -> None:
        """Press keys one by one; "⏎" is Enter."""
        for key in keys:
            self.page.keyboard.press("Enter" if key == "⏎" else key)

    def save(self, name: str, to: Path) -> Path:
        """Click the link to a file and save it."""
        with self.page.expect_download() as download:
            self.click(name, "link")
        download.value.save_as(to)
        return to

    def asked_again(self) -> dict[str, list[tuple[str, str]]]:
        """Return each value that was typed into two fields, with these."""
        found = defaultdict(list)
        for page, name, value in sorted(self.typed):
            if not OWN_NUMBERS.fullmatch(name):
                found[value].append((page, name))
        return {value: fields for value, fields in found.items() if len(fields) > 1}

    def sheets_again(self) -> list[tuple[str, ...]]:
        """Return the scores that were typed at a table's page and again at the page of its sheet, or twice there."""
        scores = [
            (page.split("/totals")[0].strip("/"), name[-1])
            for page, name, _value in self.typed
            if name.startswith(("count-", "total-"))
        ]
        return [each for each in set(scores) if scores.count(each) > 1]


@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.slug)
def test_an_event_from_an_empty_desk_to_its_files(open_tab: OpenTab, trial: Trial, tmp_path: Path) -> None:
    me = Organiser(open_tab())
    desk.come_in(me.page, create_organiser_link())
    create_event(me, trial)
    seat_players(me, trial)
    for round_ in range(1, trial.rounds + 1):
        play_round(me, trial, round_)
    set_prizes(me)
    read_prizes(me, trial, tmp_path)
    read_ema_file(me, trial, tmp_path)
    assert me.asked_again() == {}
    assert me.sheets_again() == []
    assert me.keys <= trial.most[0]
    assert me.clicks <= trial.most[1]


def create_event(me: Organiser, trial: Trial) -> None:
    """Fill in the form of a new event, which is of several days where it began yesterday."""
    me.click("New event", "link")
    me.fill("Name", trial.name)
    if "+" in trial.days:
        me.page.get_by_label("Date").fill(f"{timezone.localdate() - dt.timedelta(days=1)}")
        me.keys += 8  # its parts are typed in the order of the browser's language
    me.page.get_by_role("radio", name=f"{trial.book}:").click()
    me.fill("Place", trial.place)
    me.fill("Rounds", trial.days)
    me.fill("Country", "Netherlands")
    me.click("Create the event")
    me.page.wait_for_url(f"**/desk/{trial.slug}/players/")


def seat_players(me: Organiser, trial: Trial) -> None:
    """Paste the players, draw and publish their seats, and tick each of them."""
    me.paste("Or paste from a spreadsheet", [("Name", "Country", "Club", "EMA number"), *trial.people])
    me.click("Preview")
    me.click("Add all of them")
    expect(me.page.get_by_text(f"{trial.players} players added.")).to_be_visible()
    me.click("Continue to seating", "link")
    me.click("Draw the seats")
    me.click("Publish all rounds")
    me.click("Publish for good")
    me.click("Check-in", "link")
    for number in range(1, trial.players + 1):
        me.page.locator(f"#check-{number}").click()
    expect(me.page.locator("#check-count")).to_contain_text(f"{trial.players} of {trial.players}")
    expect(desk.all_sent(me.page)).to_have_count(1)
    me.click("To the desk", "link")


def play_round(me: Organiser, trial: Trial, round_: int) -> None:
    """Start a round, enter its tables from their sheets, the first one of the event by hands, and release it."""
    page, tables = me.page, range(1, trial.players // trial.seats + 1)
    page.wait_for_load_state("load")
    me.click("All tables are ready")
    me.click("Start the clock")
    expect(page.locator(".clock-head")).to_contain_text("left")
    if round_ == 1:
        play_hands(me, trial)
        tables = tables[1:]
    page.wait_for_load_state("load")
    me.press("e")
    for table in tables:
        expect(page.locator("#pile-table")).to_be_focused()
        me.press("⏎")
        page.wait_for_url(f"**/tables/{table}/totals/")
        expect(page.locator("#count-0")).to_be_focused()
        for score in trial.sheet(round_, table):
            me.press(f"{score:.1f}⏎")
        page.wait_for_url("**/totals/?after=*")
    expect(desk.all_sent(page)).to_have_count(1)
    me.click("Desk", "link")
    me.click(f"Release round {round_}", "link")
    me.click("Release")
    expect(page.get_by_text(f"Round {round_} is released: players see it now.")).to_be_visible()
    if round_ < trial.rounds:
        me.click(f"Continue to round {round_ + 1}", "link")
        if "+" in trial.days:  # a night passes
            Round.objects.filter(number=round_).update(started_at=F("started_at") - dt.timedelta(days=1))


def play_hands(me: Organiser, trial: Trial) -> None:
    """Enter a table hand by hand, with a player who came late, and sign it, all by keys."""
    page = me.page
    desk.jump_to_table(page, 1)
    page.wait_for_load_state("load")
    page.keyboard.press("Alt+p")
    dialog = page.get_by_role("dialog", name="Give a penalty")
    expect(dialog.get_by_role("radio").first).to_be_focused()
    me.press("2")
    expect(dialog.get_by_role("searchbox", name="What happened")).to_be_focused()
    me.press("7⏎")
    expect(page.get_by_role("button", name="Add penalty").first).to_be_focused()
    me.press("⏎")
    expect(page.locator("#table-penalties")).to_contain_text("7,000 points")
    page.wait_for_load_state("load")
    desk.enter(page, trial.hand)
    for seat, total in enumerate(trial.totals):
        me.type_at(f"#total-{seat}", str(total))
    page.locator("[name=early]:not([type=hidden])").click()
    expect(page.get_by_text("The sum is right.")).to_be_visible()  # it moves the button: a click would miss it
    me.click("Sign table")
    expect(page.get_by_text("Table 1 is signed.")).to_be_visible()
    me.click("All tables", "link")


def set_prizes(me: Organiser) -> None:
    """Set what can be won."""
    me.click("Settings", "link")
    me.click("Prizes and money", "link")
    me.click("Prizes", "link")
    for row, values in enumerate(PRIZES):
        for name, value in zip(("of", "amount", "thing"), values, strict=True):
            if value:
                me.type_at(f"[name=row-{row}-{name}]", value)
    me.click("Save")
    expect(me.page.get_by_text("Saved.")).to_be_visible()
    me.click("Prizes and money", "link")


def read_prizes(me: Organiser, trial: Trial, to: Path) -> None:
    """Hold the list of prizes and its two files against the standings."""
    winners = me.page.locator("#awards tbody th").all_inner_texts()
    assert len(winners) == len(PRIZES)
    wanted = [
        (winner, amount and f"{amount}.00", thing)
        for winner, (_place, amount, thing) in zip(winners, PRIZES, strict=True)
    ]
    with me.save("csv", to / "prizes.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    sheet = openpyxl.load_workbook(me.save("xlsx", to / "prizes.xlsx")).worksheets[0]
    for lines in (rows, [[str(cell or "") for cell in row] for row in sheet.iter_rows(values_only=True)]):
        found = [line for line in lines if line[1].startswith("Prize:")]
        assert [line[3] for line in found] == [amount for _winner, amount, _thing in wanted]
        assert all(
            winner in line[1] and thing in line[1] for line, (winner, _amount, thing) in zip(found, wanted, strict=True)
        )
    me.click("Results", "link")
    assert me.page.locator(".list .who a").all_inner_texts()[: len(PRIZES)] == winners
    assert {person[0] for person in trial.people} >= set(winners)


def read_ema_file(me: Organiser, trial: Trial, to: Path) -> None:
    """Hold EMA's file against what was typed in the form of the new event, and pasted."""
    me.click("EMA and other rankings", "link")
    file = read_ema(me.save("EMA workbook", to / "ema.xlsx").read_bytes())
    assert (file.name, file.country, file.town) == (trial.name, "NLD", trial.place)
    assert file.days == len(trial.days.split("+"))
    lines = {(f"{line.first_name} {line.last_name}", line.country, line.ema_number) for line in file.lines}
    assert lines == {(name, country, number) for name, country, _club, number in trial.people}
    places = [line.position for line in file.lines]
    assert places == sorted(places)
    # a sheet's points are in hundreds, uma sums to nothing, and one player came 7 minutes late
    assert sum(line.score for line in file.lines) == -7_000
