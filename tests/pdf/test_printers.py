"""Printing apart: processes that die, hang, cannot print or are left alone; the desk goes on and is told in words."""

import io
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from django.utils.translation import override
from openpyxl import load_workbook

from bootstrap import REPO
from rules.books import load
from scoring.game import fold
from scoring.shorthand import parse
from tests.paper.every_kind import KINDS, leaves_of
from tests.paper.samples import make_head
from tournament.exports.hand_rows import HandRows, PlayedHand
from tournament.pages.spreadsheets import Sheet, SheetColumn, make_book
from tournament.paper.sheets import penalty_slips_leaves
from tournament.paper.views import Booklet, Press, State
from tournament.pdf.printers import MOST, BrokenOff, Printer, Printers, printers
from tournament.pdf.render import Leaves, PaperUnavailable, install_hint

HEAD = make_head(4)
BOOKLET = leaves_of("tents", HEAD)
SLIPS = penalty_slips_leaves()


@pytest.fixture
def own() -> Iterator[Printers]:
    """Yield processes of this test alone; those of the program are shared by all tests of a worker."""
    made = Printers()
    yield made
    made.end()


def python(*lines: str) -> Sequence[str]:
    """Return how to start a process that is no printer at all."""
    return (sys.executable, "-c", "\n".join(lines))


def test_it_tells_each_step_and_what_it_cannot_print_and_then_prints_the_next() -> None:
    steps: list[tuple[int, int]] = []
    printed = printers.print(BOOKLET, HEAD, lambda done, of: steps.append((done, of)))
    assert (printed.pdf[:5], printed.pages, printed.missing, steps) == (b"%PDF-", 2, "", [(1, 2), (2, 2)])
    started = printers.started
    with pytest.raises(BrokenOff, match=r"^ValueError: there is nothing to print on badges$"):
        printers.print(Leaves("badges", ()), HEAD)
    assert (printers.print(SLIPS, HEAD).pages, printers.started) == (1, started)


READ = """
import pickle, sys
import tournament.pdf.printer_process
from django.apps import apps
from django.template.loader import render_to_string
from tournament.pdf.render import page_values
apps.populate(())
while True:
    try:
        kind, job = pickle.load(sys.stdin.buffer)
        leaves, head = pickle.loads(job)
        for portion in leaves.portions:
            render_to_string(f"pdf/{leaves.page}.html", {**page_values(head), **portion})
    except EOFError:
        break
    except Exception as error:
        print(kind, error)
"""


def test_the_process_that_prints_can_draw_every_kind_of_sheet_without_an_app() -> None:
    jobs = [(kind, (leaves_of(kind, head), head)) for kind in KINDS for head in (make_head(3), make_head(4))]
    sent = b"".join(pickle.dumps((kind, pickle.dumps(job))) for kind, job in jobs)
    done = subprocess.run(python(READ), cwd=REPO, input=sent, capture_output=True, check=True)
    assert done.stdout.decode() == ""


def test_a_single_sheet_does_not_wait_behind_a_booklet() -> None:
    press, begun, go = Press(), threading.Event(), threading.Event()

    def halfway(_done: int, _steps: int) -> None:
        begun.set()
        go.wait()

    press.start("booklet", lambda _told: printers.print(BOOKLET, HEAD, halfway))
    begun.wait()
    assert printers.print(SLIPS, HEAD).pages == 1
    meanwhile = press.look("booklet")
    go.set()
    assert meanwhile is not None
    assert meanwhile.state == State.MAKING
    assert press.wait("booklet", lambda _told: pytest.fail("it is being printed")).state == State.DONE


def test_a_process_that_dies_in_the_middle_is_followed_by_another() -> None:
    steps: list[int] = []
    killed: list[Printer] = []

    def told(done: int, _steps: int) -> None:
        steps.append(done)
        if not killed:
            killed.extend(printers.busy)
            killed[0].process.kill()

    assert printers.print(SLIPS, HEAD, told).pages == 1
    assert (len(killed), steps[0], steps[-2:]) == (1, 1, [1, 2])
    assert killed[0] not in [*printers.free, *printers.busy]


def test_what_dies_each_time_is_told_and_the_next_print_works(own: Printers, caplog: pytest.LogCaptureFixture) -> None:
    own.line = python("import sys", "sys.stdin.buffer.read(1)", "sys.exit(3)")
    press = Press()
    failed = press.wait("booklet", lambda told: own.print(BOOKLET, HEAD, told))
    why = "It stopped at step 1 of 1: the printing process has stopped. Everything else works; try again."
    assert (failed.state, failed.why, own.started, own.busy, own.free) == (State.FAILED, why, 2, [], [])
    assert caplog.text.count("has died in the middle of a job: exit code 3.") == 2
    assert press.wait("booklet", lambda told: printers.print(BOOKLET, HEAD, told)).state == State.DONE


def test_whoever_tells_no_more_is_killed(own: Printers) -> None:
    own.line, own.silent = python("import threading", "threading.Event().wait()"), 0.05
    with pytest.raises(BrokenOff, match=r"^the printing process has stopped$"):
        own.print(SLIPS, HEAD)
    assert (own.started, own.busy, own.free) == (2, [], [])


class Waited(threading.Condition):
    """Tells that somebody waits."""

    def __init__(self) -> None:
        """Nobody does yet."""
        super().__init__()
        self.told = threading.Event()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait as ever; who is told finds this locked until then."""
        self.told.set()
        return super().wait(timeout)


def test_a_desk_that_ends_breaks_its_prints_off_without_a_warning(
    own: Printers, caplog: pytest.LogCaptureFixture
) -> None:
    own.line, own.changed = python("import threading", "threading.Event().wait()"), Waited()

    def printed(_number: int) -> Booklet:
        return Press().wait("booklet", lambda told: own.print(BOOKLET, HEAD, told))

    with ThreadPoolExecutor() as threads:
        booklets = threads.map(printed, range(MOST + 1))  # the last waits for a process
        own.changed.told.wait()
        own.end()
    why = "It stopped at step 1 of 1: the printing process has stopped. Everything else works; try again."
    assert [each.why for each in booklets] == [why] * (MOST + 1)
    assert (own.started, own.busy, own.free, caplog.text) == (MOST, [], [], "")


def test_whoever_stops_listening_leaves_no_process_behind(own: Printers) -> None:
    own.line = python(
        "import pickle, sys",
        "from tournament.pdf.printers import Step",
        "pickle.dump(Step(1, 2), sys.stdout.buffer)",
        "sys.stdout.flush()",
        "sys.stdin.read()",
    )

    def told(_done: int, _steps: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        own.print(BOOKLET, HEAD, told)
    assert (own.busy, own.free) == ([], [])


def test_a_process_writes_the_workbook_that_the_desk_would_with_hands_in_the_readers_language(own: Printers) -> None:
    rules = load("ema-2025")
    game = fold([parse(line) for line in ("2r3 340", "d13")], rules)
    played = [PlayedHand(1, 1, at, hand, list("ABCD"), at == 2) for at, hand in enumerate(game.hands, start=1)]
    columns = [SheetColumn(f"c{at}", "text") for at in range(len(next(iter(HandRows(played, {rules.players: rules})))))]
    sheets = [Sheet("Hands", ("Cup", "all"), columns, HandRows(played, {rules.players: rules}))]
    steps: list[tuple[int, int]] = []
    with override("de"):
        made = own.run(partial(make_book, sheets, HEAD.printed_at), lambda done, of: steps.append((done, of)))
        assert made == make_book(sheets, HEAD.printed_at)
    assert "Ost 1" in [cell.value for row in load_workbook(io.BytesIO(made))["Hands"] for cell in row]
    assert (steps, own.started) == ([(1, 1)], 1)


def test_a_machine_that_starts_no_process_says_so(own: Printers, tmp_path: Path) -> None:
    own.line = (str(tmp_path / "nothing"),)
    own.get_ready()  # nobody asked for anything yet
    with pytest.raises(BrokenOff, match=r"^FileNotFoundError: "):
        own.print(SLIPS, HEAD)
    assert (own.busy, own.free) == ([], [])


def test_what_the_machine_lacks_is_said_by_the_process(
    own: Printers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "weasyprint.py").write_text("raise OSError('cannot load library libpango')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(PaperUnavailable) as raised:
        own.print(SLIPS, HEAD)
    assert (str(raised.value), len(own.free)) == (install_hint(sys.platform), 1)


@pytest.mark.usefixtures("without_weasyprint")
def test_where_the_package_is_not_installed_no_process_is_started(own: Printers) -> None:
    own.get_ready()
    with pytest.raises(PaperUnavailable) as raised:
        own.print(SLIPS, HEAD)
    assert (str(raised.value), own.started) == (install_hint(sys.platform), 0)


def test_a_process_without_work_is_ended(own: Printers) -> None:
    own.idle = 0
    with own.changed:
        own.get_ready()
        (printer,) = own.free
    assert printer.ending is not None
    printer.ending.join()
    assert printer.process.returncode is not None
    assert (own.free, own.started) == ([], 1)


def test_a_process_that_was_ended_meanwhile_is_not_given_a_job(own: Printers) -> None:
    own.line = python("pass")
    own.get_ready()
    own.free[0].process.wait()
    own.line = python("import sys", "sys.stdin.buffer.read(1)")
    with pytest.raises(BrokenOff):
        own.print(SLIPS, HEAD)
    assert own.started == 3  # the first was never asked


DESK = """
import django, sys
django.setup()
from tests.paper.samples import make_head
from tournament.exports.hand_rows import HandRows, PlayedHand
from tournament.pages.spreadsheets import Sheet, SheetColumn, make_book
from tournament.paper.sheets import penalty_slips_leaves
from tournament.alllast import views
from tournament.calculator import views
from tournament.paper import call_slip
from tournament.pages import files
from tournament.paper import views

def told(done, steps):
    print(done, steps, "weasyprint" in sys.modules, flush=True)
    sys.stdin.read()

files.printers.print(penalty_slips_leaves(), make_head(4), told)
"""


@pytest.mark.slow  # it starts a desk's process and one that prints
@pytest.mark.skipif(sys.platform == "win32", reason="not on Windows: no signal kills a process")
def test_a_desk_has_not_loaded_what_prints_and_takes_it_along_when_it_is_killed() -> None:
    piped = subprocess.PIPE
    with subprocess.Popen(python(DESK), cwd=REPO, stdin=piped, stdout=piped, stderr=piped, text=True) as desk:
        assert desk.stdout is not None
        assert desk.stderr is not None
        assert desk.stdout.readline() == "1 2 False\n"
        desk.send_signal(signal.SIGKILL)
        assert desk.stderr.read() == ""  # that it ends says that nobody holds it any more, what prints neither
