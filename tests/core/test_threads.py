"""No thread ends by an exception: the frame itself, and each thread with a stored row that it cannot read."""

import ast
import datetime as dt
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.factories import make_account, make_event, name_of, play_round, round_of, writer_of
from tests.sign_ups import come, event_with
from tournament.backups.backup import BackupConfig
from tournament.backups.thread import BackupThread
from tournament.core import threads
from tournament.core.threads import Failures, LoopThread, list_failures
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.pages.priority import Lanes, PriorityClass
from tournament.pages.streams import ChangeWatcher
from tournament.paper.views import Press, State
from tournament.pdf.render import Printed, Progress
from tournament.players.actions import NewPlayer, add_players
from tournament.push.actions import tell_phone
from tournament.push.sender import Pusher
from tournament.rounds.actions import publish_rounds, start_round
from tournament.seating.actions import search_in_background, start_draft
from tournament.seating.models import DrawDraft
from tournament.signup.letter_sender import LetterThread
from tournament.signup.models import Letter, LetterState

ROOT = Path(__file__).resolve().parents[2]
SOON = 20.0  # seconds; nothing here waits for as long unless it is broken
KINDS: list[type[BaseException]] = [
    ValueError, UnicodeError, RecursionError, MemoryError, StopIteration, SystemExit, GeneratorExit, KeyboardInterrupt,
]  # fmt: skip


@pytest.fixture(autouse=True)
def none_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "_noted", {})


class Failing(LoopThread):
    """Raises each kind of exception in turn, and then works."""

    def __init__(self) -> None:
        super().__init__("failing")
        self.kinds, self.worked = list(KINDS), threading.Event()

    def run_once(self) -> None:
        """Fail, or work."""
        if self.kinds:
            raise self.kinds.pop(0)("a secret")
        self.worked.set()
        self.stopping.wait(SOON)


def until(holds: Callable[[], object]) -> None:
    """Wait until something holds."""
    ends = time.monotonic() + SOON
    while not holds():
        assert time.monotonic() < ends
        threading.Event().wait(0.02)


def failing() -> list[tuple[str, str]]:
    return [(each.name, each.error) for each in list_failures()]


def test_whatever_a_loop_raises_it_goes_on(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture):
    monkeypatch.setattr(threads, "LONGEST_PAUSE", 0.01)
    thread = Failing()
    thread.start()
    assert thread.worked.wait(SOON)
    assert thread.is_alive()
    (noted,) = list_failures()
    assert (noted.name, noted.count, noted.error) == ("failing", len(KINDS), "KeyboardInterrupt")
    assert "secret" not in str(noted)
    assert [record.exc_info is not None for record in caplog.records] == [True] * len(KINDS)
    thread.stop()
    thread.join(SOON)
    assert not thread.is_alive()
    assert [each.failing for each in list_failures()] == [False]  # its last work was well


def test_a_pause_ends_when_the_thread_is_stopped(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(threads, "FIRST_PAUSE", 1000.0)
    monkeypatch.setattr(threads, "LONGEST_PAUSE", 1000.0)
    thread = Failing()
    thread.start()
    until(list_failures)
    thread.stop()
    thread.join(SOON)
    assert not thread.is_alive()


def test_a_command_in_the_main_thread_ends_by_ctrl_c():
    def press() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        threads.attempt("here", press)


def test_every_thread_of_the_program_has_the_frame():
    """`test` is for developers; its threads hold pools of pytest."""
    bare = []
    for room in ("web", "tournament", "scoring", "rules"):
        for file in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Attribute) and node.attr == "Thread" and "threading" in ast.unparse(node):
                    bare.append(str(file.relative_to(ROOT)))
                if isinstance(node, ast.Call) and ast.unparse(node.func) == "threading.Timer":
                    assert ast.unparse(node.args[1]) == "attempt", file
    assert set(bare) == {"tournament/core/threads.py"}


# ---------------------------------------------------------------- each thread


def test_a_watch_goes_on(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(threads, "LONGEST_PAUSE", 0.01)
    calls: list[int] = []

    def read() -> None:
        calls.append(1)
        if len(calls) < 3:
            raise UnicodeError

    watch = ChangeWatcher(read)
    monkeypatch.setattr(watch, "_has_changed", lambda: not watch.stopping.wait(0.01))
    watch.start()
    until(lambda: len(calls) > 3)
    watch.stop()
    watch.join(SOON)
    assert failing() == [("watch", "UnicodeError")]


def test_a_lane_serves_the_next_request():
    def broken() -> None:
        raise SystemExit

    lanes, served = Lanes(1), threading.Event()
    for work in (broken, served.set):
        lanes.run(PriorityClass.PHONE, work)
    assert served.wait(SOON)
    lanes.stop(SOON)
    assert failing() == [("requests", "SystemExit")]


def test_a_press_prints_the_next_booklet():
    def broken(_progress: Progress) -> Printed:
        raise SystemExit

    press = Press()
    assert press.wait("a", broken).state == State.FAILED
    assert press.wait("b", lambda _progress: Printed(b"%PDF", 1)).state == State.DONE
    assert failing() == [("press", "SystemExit")]


@pytest.mark.django_db(transaction=True)
class TestStoredRows:
    """Rows that were written by an older program, or by hand."""

    @pytest.fixture
    def bad(self) -> Event:
        """Return an event with a timetable that is none."""
        event = make_event(slug="bad", tables=1, rounds=1, published=False)
        Event.objects.filter(pk=event.pk).update(timetable=["no moment"])
        return event

    @pytest.fixture
    def running(self) -> Iterator[Callable[[LoopThread], LoopThread]]:
        """Start a thread that is stopped after the test."""
        started: list[LoopThread] = []

        def start(thread: LoopThread) -> LoopThread:
            started.append(thread)
            thread.start()
            return thread

        yield start
        for thread in started:
            thread.stop()
            thread.join(SOON)
            assert not thread.is_alive()

    def test_backups_go_on_with_sign_ups_that_cannot_be_read(self, tmp_path: Path, running: Any):
        event = make_event(tables=1, rounds=1, slug="good")
        start_round(round_=round_of(event), by=writer_of(event))
        play_round(event, 1, "1t 230")
        wrong = event_with()
        come(wrong, "Ada")
        Event.objects.filter(pk=wrong.pk).update(timetable=["no moment"], date="2026-01-01")
        told: list[str] = []
        thread = BackupThread(BackupConfig(tmp_path, (), minutes=0), lambda faults: told.extend(f.code for f in faults))
        thread.tick = 0.01
        running(thread)
        until((tmp_path / "events" / "good-round-1.json").exists)
        until(lambda: told)
        assert thread.is_alive()
        assert (told, failing()) == (["backup.failed"], [("backups", "ValueError")])

    def test_letters_go_on_after_one_that_cannot_be_written(self, running: Any, settings: Any, mailoutbox: list[Any]):
        settings.MAIL, settings.DEFAULT_FROM_EMAIL = True, "desk@example.org"
        event = event_with()
        come(event, "Ada", "Ben")
        bad = Letter.objects.order_by("pk").first()
        assert bad is not None
        Letter.objects.filter(pk=bad.pk).update(kind="unheard", language="?")
        thread = running(LetterThread(tick=0.01))
        until(lambda: mailoutbox)
        assert [each.to for each in mailoutbox] == [["ben@example.org"]]
        until(lambda: Letter.objects.filter(state=LetterState.SENT).exists())
        assert thread.is_alive()
        assert Letter.objects.get(pk=bad.pk).state == LetterState.FAILED

    def test_the_pusher_goes_on_beside_an_event_that_cannot_be_read(self, bad: Event, running: Any):
        good = make_event(slug="good", tables=1, rounds=1, published=False)
        for event in (bad, good):
            tell_phone(event=event, number=1, endpoint=f"https://{event.slug}/", key="", secret="", language="en-gb")
            publish_rounds(event=event, numbers=[1], by=writer_of(event))
        thread = running(Pusher(lambda *_what: 201))
        until(lambda: "push" in dict(failing()))
        assert thread.is_alive()

    def test_a_search_at_an_event_that_cannot_be_read_is_shown_as_failed(self):
        by = make_account()
        event = create_event(name="Cup", date=dt.date(2026, 9, 12), rules_key="ema-2025", rounds=2, by=by)
        add_players(event=event, players=[NewPlayer(name_of(index)) for index in range(8)], by=by)
        draft = start_draft(event=event, seed=1, by=by)
        Event.objects.filter(pk=event.pk).update(rules={})
        draft = DrawDraft.objects.get(pk=draft.pk)
        search_in_background(draft)
        until(lambda: DrawDraft.objects.get(pk=draft.pk).state == "failed")


def test_the_operator_sees_which_thread_failed(admin_client: Any, client: Any, monkeypatch: pytest.MonkeyPatch):
    threads.note_failure("push", UnicodeError("Akelei Sommerwind"))
    assert "threads" not in client.get("/health/").json()
    answer = admin_client.get("/health/")
    (found,) = answer.json()["threads"]
    assert {**found, "last_at": ""} == {
        "name": "push", "count": 1, "last_at": "", "error": "UnicodeError", "failing": True,
    }  # fmt: skip
    assert "Sommerwind" not in answer.content.decode()
    text = admin_client.get("/metrics/").content.decode()
    assert 'hanchan_thread_failing{thread="push"} 1.0' in text
    assert isinstance(list_failures()[0], Failures)
