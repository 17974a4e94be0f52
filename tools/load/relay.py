"""A hall and its relay, with a rough line between: `python -m tools.load.relay` prints one JSON object.

Two desks are started as organisers start them, each with its own data, and phones at the relay. Seats are published and
rounds released at the hall; then the line is cut while the event goes on, and among what happens is a take-back. At
last every message is sent once more, and once more with a byte changed.
"""

import argparse
import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from bootstrap import REPO
from tests.nightly_scale import own_data
from tests.with_postgresql import free_port
from tools.load.__main__ import HOST, answer, answers_at, desk_at, first_after, running
from tools.load.figures import percentiles

if TYPE_CHECKING:
    from tournament.events.models import Event

ALL_HAVE_ASKED = 10.0  # seconds after which every phone holds a stream
SETTLED = 25.0  # seconds after an act until its figures are taken
CATCHES_UP_WITHIN = 40.0
HANDS = 10  # a table and round
HIDDEN = "Quendolin Farnborough"  # player 1, who is hidden while the line is cut


def main() -> int:
    """Measure and print; exit with 1 where something is not as it must be."""
    parser = argparse.ArgumentParser(prog="python -m tools.load.relay", description=__doc__)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--phones", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3, help="published and released over the rough line")
    parser.add_argument(
        "--cut", type=float, default=60.0, help="seconds of the cut, in which two more rounds are played"
    )
    wanted = parser.parse_args()
    with own_data("relay") as (data, _server):
        os.environ |= {"HANCHAN_DATA": str(data / "hall"), "HANCHAN_BACKUP_MINUTES": "0"}
        found = measure(wanted, data)
    sys.stdout.write(json.dumps(found, indent=1) + "\n")
    return 0 if found["well"] else 1


class Line:
    """The rough line, told what to do."""

    def __init__(self, program: "subprocess.Popen[str]") -> None:
        """Take the process."""
        self.program = program

    def tell(self, command: str) -> Any:
        """Give a command and return the answer."""
        assert self.program.stdin is not None
        assert self.program.stdout is not None
        self.program.stdin.write(command + "\n")
        self.program.stdin.flush()
        return json.loads(self.program.stdout.readline())

    @property
    def up(self) -> int:
        """The bytes that went up."""
        return int(self.tell("count")["up"])


def measure(wanted: argparse.Namespace, data: Path) -> dict[str, Any]:
    """Start everything, let it happen, and return the figures."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    event = make_event(wanted.tables, wanted.rounds + 2)
    hall, relay, line_port = free_port(), free_port(), free_port()
    at_relay = {"HANCHAN_RELAY": "1", "HANCHAN_DATA": str(data / "relay")}
    with ExitStack() as stack:
        stack.enter_context(running(desk_at(relay), f"http://{HOST}:{relay}/health/", **at_relay))
        line = Line(stack.enter_context(running(["-m", "tools.load.flaky_network", str(line_port), str(relay)])))
        stack.enter_context(running(desk_at(hall), f"http://{HOST}:{hall}/health/"))
        code = [sys.executable, str(REPO / "manage.py"), "relay_code"]
        told = subprocess.run(
            code, cwd=REPO, env={**os.environ, **at_relay}, capture_output=True, text=True, check=True
        )
        pair(event, f"http://{HOST}:{line_port}/", told.stdout.strip())
        wait_for(event, relay, CATCHES_UP_WITHIN)
        whole, players = line.up, 4 * wanted.tables
        playing = (wanted.rounds + 2) * max(3, wanted.tables)  # a second for each table and round
        lasting = 2 * wanted.rounds * SETTLED + playing + wanted.cut + CATCHES_UP_WITHIN
        phones = [sys.executable, "-m", "tools.load.phones", HOST, str(relay), event.slug, str(players)]
        phones += [str(wanted.phones), str(lasting)]
        crowd = subprocess.Popen(phones, cwd=REPO, stdout=subprocess.PIPE, text=True)
        time.sleep(ALL_HAVE_ASKED)
        begun = time.monotonic()
        acts = [each for number in range(1, wanted.rounds + 1) for each in one_round(event, number, line)]
        cut = cut_line(event, wanted.rounds + 1, line, relay, wanted.cut)
        crooks = crooked(event, line, relay)
        time.sleep(max(0.0, lasting - (time.monotonic() - begun)))
        fetched = answer(crowd)["fetched"]
        fell = line.tell("count")["fell"]
    seen = figures(acts, fetched, wanted)
    return {**seen, "first_kb": kb(whole), "cut": cut, "crooked": crooks, "fell": fell, **well(seen, cut, crooks)}


def figures(acts: list[dict[str, Any]], fetched: list[tuple[int, float]], wanted: argparse.Namespace) -> dict[str, Any]:
    """Return how long each act took to the phones, and what it cost on the way up."""
    told: dict[str, list[float]] = {"seats": [], "release": []}
    for act, following in zip(acts, [*acts[1:], {"at": float("inf")}], strict=True):
        came = first_after([each for each in fetched if each[1] < following["at"]], act["at"])
        act["phones"] = len(came)
        told[act["act"]] += [(at - act["at"]) * 1000 for at in came.values()]
    sizes = {f"{kind}_kb": [kb(act["up"]) for act in acts if act["act"] == kind] for kind in told}
    return {"tables": wanted.tables, "phones": wanted.phones, **percentiles(told), **sizes, "acts": acts}


def well(seen: dict[str, Any], cut: dict[str, Any], crooks: dict[str, Any]) -> dict[str, Any]:
    """Tell whether all is as it must be."""
    told = seen["seats_median_ms"] <= 10_000 and seen["seats_p99_ms"] <= 20_000
    all_phones = all(act["phones"] == seen["phones"] for act in seen["acts"])
    small = max(seen["release_kb"]) <= 20
    return {"well": told and all_phones and small and cut["same"] and not cut["shows_taken_back"] and crooks["nothing"]}


def kb(size: int) -> float:
    """Return bytes as kilobytes."""
    return round(size / 1000, 1)


# ---------------------------------------------------------------- what happens at the hall


def make_event(tables: int, rounds: int) -> "Event":
    """Make the event; its seats are drawn and not published."""
    from tests.factories import make_account, rename_player
    from tests.factories import make_event as make

    by = make_account("Organiser", superuser=True)
    event = make("rakkii-nomi-2026", tables=tables, rounds=rounds, slug="hall", published=False, by=by)
    rename_player(player=event.players.select_related("person").get(number=1), name=HIDDEN, by=by)
    return event


def pair(event: "Event", address: str, code: str) -> None:
    """Pair through the line, as the settings page does, until the line lets it."""
    from tests.factories import writer_of
    from tournament.relay.actions import begin_relay
    from tournament.relay.sender import ask_pairing

    begin_relay(
        event=event,
        address=address,
        pairing=ask_pairing(address, code, event.slug),
        show_hall=False,
        by=writer_of(event),
    )


def publish(event: "Event", number: int) -> float:
    """Publish the seats of a round; return when."""
    from tests.factories import writer_of
    from tournament.rounds.actions import publish_rounds

    publish_rounds(event=event, numbers=[number], by=writer_of(event))
    return time.time()


def play(event: "Event", number: int) -> None:
    """Play and sign every table of a round, each its own game."""
    from tests.factories import enter, fresh, round_of, sign, writer_of
    from tools.bench.games import game_of
    from tournament.rounds.actions import start_round

    chance = Random(number)
    start_round(round_=round_of(event, number), by=writer_of(event))
    for table in round_of(event, number).tables.select_related("round__event"):
        for entry in game_of(fresh(event).ruleset, chance, HANDS):
            enter(table, entry)
        sign(table)


def release(event: "Event", number: int) -> float:
    """Release a round; return when."""
    from tests.factories import round_of, writer_of
    from tournament.rounds.actions import release_round

    release_round(round_=round_of(event, number), by=writer_of(event))
    return time.time()


def one_round(event: "Event", number: int, line: Line) -> Iterator[dict[str, Any]]:
    """Publish, play and release a round, and wait after each act."""
    for kind, act in (("seats", publish), ("release", release)):
        if kind == "release":
            play(event, number)
        before = line.up
        at = act(event, number)
        time.sleep(SETTLED)
        yield {"act": kind, "round": number, "at": at, "up": line.up - before}


def cut_line(event: "Event", number: int, line: Line, relay: int, seconds: float) -> dict[str, Any]:
    """Cut the line while two rounds are played; a name is hidden meanwhile, and one result is held back."""
    from tests.factories import fresh, writer_of
    from tournament.events.actions import Publication, set_publication
    from tournament.privacy.actions import set_names_shown

    line.tell("cut")
    until = time.monotonic() + seconds
    for each in (number, number + 1):
        publish(event, each)
        play(event, each)
        if each == number + 1:
            set_publication(event=event, publication=Publication(hold="last"), by=writer_of(event))
        release(event, each)
    set_names_shown(event=fresh(event), numbers=[1], shown=False, by=writer_of(event))
    time.sleep(max(0.0, until - time.monotonic()))
    before = line.up
    line.tell("heal")
    healed = time.monotonic()
    same = wait_for(fresh(event), relay, CATCHES_UP_WITHIN)
    caught_up = round(time.monotonic() - healed, 1)
    page = page_of(relay, f"/e/{event.slug}/standings/") + page_of(relay, f"/e/{event.slug}/players/1/")
    held = f"/e/{event.slug}/rounds/{number + 1}/tables/1/"
    shows = HIDDEN in page or answers_at(f"http://{HOST}:{relay}{held}")
    cost = kb(line.up - before)
    return {"seconds": seconds, "same": same, "caught_up_s": caught_up, "kb": cost, "shows_taken_back": shows}


def crooked(event: "Event", line: Line, relay: int) -> dict[str, Any]:
    """Send every message once more, and with a byte changed; nothing must come of it."""
    before = state_of(relay, event.slug)
    again, forged = line.tell("replay"), line.tell("forge")
    refused = sum('"relay.not_paired"' in each for each in forged)
    taken = sum('"taken": true' in each for each in again)
    nothing = before == state_of(relay, event.slug) and refused == len(forged) and not taken
    return {"repeated": len(again), "taken": taken, "forged": len(forged), "refused": refused, "nothing": nothing}


# ---------------------------------------------------------------- what the relay shows


def state_of(relay: int, slug: str) -> dict[str, Any]:
    """Return what the relay's API tells of the event, without its version."""
    paths = ("", "players", "standings", "rounds")
    return {path: page_of(relay, f"/api/v1/events/{slug}/{path}") for path in paths}


def wait_for(event: "Event", relay: int, within: float) -> bool:
    """Wait until the relay tells what the hall's pages tell; return whether it does in time."""
    from django.core.cache import cache
    from django.test import Client

    cache.clear()
    there = f"/api/v1/events/{event.slug}/"
    here = {
        path: Client(SERVER_NAME="localhost").get(there + path).content.decode()
        for path in ("", "players", "standings", "rounds")
    }
    until = time.monotonic() + within
    while time.monotonic() < until:
        if state_of(relay, event.slug) == here:
            return True
        time.sleep(0.3)
    return False


def page_of(relay: int, path: str) -> str:
    """Return a page of the relay, "" where there is none."""
    try:
        with urllib.request.urlopen(f"http://{HOST}:{relay}{path}", timeout=10) as page:
            return str(page.read().decode())
    except OSError:
        return ""


if __name__ == "__main__":
    sys.exit(main())
