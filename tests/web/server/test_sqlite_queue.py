"""Who writes waits in line: first come, first served; nobody is left waiting; SQLite's own lock decides as ever."""

import gc
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from typing import Any
from uuid import uuid4

import pytest
from django.db import OperationalError, connection, transaction

from tests.factories import make_event, rows_of, table_of, writer_of
from tests.pages.at_desk import client_of
from web.server.sqlite_queue.base import Line, Turn, line_of

pytestmark = pytest.mark.whole_run

SOON = 30  # seconds, after which a test gives up
TEN = 10
AWAY = 503


class Worker(threading.Thread):
    """A thread with a connection of its own, which it closes; `wrong` is what it was told instead of an answer."""

    def __init__(self, act: Callable[[], Any]) -> None:
        super().__init__()
        self.act, self.wrong = act, ""

    def run(self) -> None:
        try:
            self.act()
        except OperationalError as wrong:
            self.wrong = str(wrong)
        finally:
            connection.close()


def write() -> None:
    """Write something that another connection can read."""
    with connection.cursor() as cursor:
        cursor.execute("UPDATE tournament_event SET name = name || 'x'")


def until(true: Callable[[], bool]) -> None:
    """Wait until something has come true; fails where it does not."""
    tick = threading.Event()
    for _ in range(SOON * 100):
        if true():
            return
        tick.wait(0.01)
    pytest.fail("it never came true")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("sql", "values", "row"),
    [
        ("SELECT %s || 'x', %s", ["a", 2], ("ax", 2)),
        ("SELECT %s, '%%s', '100%%'", [1], (1, "%s", "100%")),
        ("SELECT %(b)s, %(a)s", {"a": 1, "b": 2}, (2, 1)),
    ],
)
def test_a_text_has_its_values_in_their_places(sql: str, values: Any, row: tuple[Any, ...]):
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        assert cursor.fetchone() == row


class TestLine:
    def test_ten_in_line_are_served_in_the_order_in_which_they_came(self):
        line, served = Line(), list[int]()
        first = line.take(SOON)

        def wait(number: int) -> None:
            turn = line.take(SOON)
            served.append(number)
            line.give_back(turn)

        threads = [threading.Thread(target=wait, args=(number,)) for number in range(TEN)]
        for number, thread in enumerate(threads, start=1):
            thread.start()
            until(lambda number=number: line.count_waiting() == number)  # type: ignore[misc]
        line.give_back(first)
        for thread in threads:
            thread.join(SOON)
        assert (served, line.count_waiting()) == (list(range(TEN)), 0)

    def test_who_has_waited_long_enough_goes_and_is_not_waited_for(self):
        line, told = Line(), list[type[Exception]]()
        first = line.take(SOON)

        def wait() -> None:
            try:
                line.take(0.01)
            except TimeoutError as wrong:
                told.append(type(wrong))

        thread = threading.Thread(target=wait)
        thread.start()
        thread.join(SOON)
        assert (told, line.count_waiting()) == ([TimeoutError], 0)
        line.give_back(first)
        assert line.take(0).thread is threading.current_thread()

    def test_a_thread_that_died_with_its_turn_lets_the_next_go(self):
        line = Line()
        thread = threading.Thread(target=line.take, args=(SOON,))
        thread.start()
        thread.join(SOON)
        line.give_back(line.take(SOON))

    def test_a_thread_never_waits_for_itself(self):
        line = Line()
        first, second = line.take(SOON), line.take(SOON)
        line.give_back(second)
        assert line.count_waiting() == 0
        taken = list[Turn]()
        thread = threading.Thread(target=lambda: taken.append(line.take(SOON)))
        thread.start()
        until(lambda: line.count_waiting() == 1)  # it was the second place that was given back, not the turn
        line.give_back(first)
        thread.join(SOON)
        assert len(taken) == 1

    def test_to_give_back_twice_takes_nobody_elses_turn(self):
        line = Line()
        first = line.take(SOON)
        line.give_back(first)
        second = line.take(SOON)
        line.give_back(first)
        waiter = threading.Thread(target=line.take, args=(SOON,))
        waiter.start()
        until(lambda: line.count_waiting() == 1)
        line.give_back(second)
        waiter.join(SOON)
        assert not waiter.is_alive()


@pytest.mark.only_on("sqlite")  # PostgreSQL has rows to lock, and no one writer
@pytest.mark.django_db(transaction=True)
class TestConnections:
    @pytest.fixture
    def line(self) -> Line:
        return line_of(str(connection.settings_dict["NAME"]))

    def test_ten_transactions_are_served_in_the_order_in_which_they_began(self, line: Line):
        served = list[int]()

        def act(number: int) -> None:
            with transaction.atomic():
                served.append(number)
                with transaction.atomic():  # a savepoint has no place of its own
                    write()

        workers = [Worker(lambda number=number: act(number)) for number in range(TEN)]  # type: ignore[misc]
        with transaction.atomic():
            for number, worker in enumerate(workers, start=1):
                worker.start()
                until(lambda number=number: line.count_waiting() == number)  # type: ignore[misc]
        for worker in workers:
            worker.join(SOON)
        assert ([worker.wrong for worker in workers], served) == ([""] * TEN, list(range(TEN)))

    def test_whatever_ends_a_transaction_lets_the_next_one_go(self):
        def broken() -> None:
            with transaction.atomic():
                write()
                raise OperationalError("of our own")

        def closed() -> None:
            with transaction.atomic():
                write()
                connection.close()

        def rolled_back() -> None:
            with transaction.atomic():
                transaction.set_rollback(True)

        def gone() -> None:
            connection.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
            write()

        def never_begun() -> None:
            connection.ensure_connection()
            connection.connection.execute("BEGIN IMMEDIATE")
            try:
                transaction.atomic().__enter__()
            finally:
                connection.connection.execute("ROLLBACK")

        told = []
        for act in (broken, closed, rolled_back, gone, never_begun):
            worker = Worker(act)
            worker.start()
            worker.join(SOON)
            told.append(worker.wrong)
            with transaction.atomic():
                write()
        assert told == ["of our own", "", "", "", "cannot start a transaction within a transaction"]

    def test_a_thread_that_dies_in_its_transaction_lets_the_next_one_go(self):
        def die() -> None:
            transaction.atomic().__enter__()
            write()

        thread = threading.Thread(target=die)
        thread.start()
        thread.join(SOON)
        gc.collect()  # SQLite's own lock lasts as long as the connection
        with transaction.atomic():
            write()

    def test_a_reader_does_not_wait(self, line: Line):
        def read() -> None:
            with connection.cursor() as cursor:
                cursor.execute("SELECT COUNT(*) FROM tournament_event").fetchone()

        with transaction.atomic():
            write()
            worker = Worker(read)
            worker.start()
            worker.join(SOON)
            assert (worker.is_alive(), worker.wrong, line.count_waiting()) == (False, "", 0)

    def test_another_process_is_waited_for_as_ever(self, line: Line):
        with closing(sqlite3.connect(str(connection.settings_dict["NAME"]), check_same_thread=False)) as other:
            other.execute("BEGIN IMMEDIATE")
            done = threading.Event()

            def act() -> None:
                with transaction.atomic():
                    write()
                done.set()

            workers = [Worker(act), Worker(act)]
            for worker in workers:
                worker.start()
            until(lambda: line.count_waiting() == 1)  # the other one of them asks SQLite
            assert not done.is_set()
            other.execute("ROLLBACK")
            for worker in workers:
                worker.join(SOON)
        assert [worker.wrong for worker in workers] == ["", ""]

    def test_who_waits_too_long_is_told_in_words_and_nothing_is_written(self, monkeypatch: pytest.MonkeyPatch):
        event = make_event(slug="cup")
        client = client_of(writer_of(event))
        answers = list[Any]()
        hand = {"client_id": str(uuid4()), "expected_seq": 0, "entry": {"kind": "draw", "tenpai": []}}
        address = "/api/v1/events/cup/rounds/1/tables/1/entries"

        def send() -> None:
            answers.append(client.post(address, hand, content_type="application/json"))

        monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0.05)
        with transaction.atomic():
            worker = Worker(send)
            worker.start()
            worker.join(SOON)
        [answer] = answers
        assert answer.status_code == AWAY
        assert [problem["code"] for problem in answer.json()["problems"]] == ["storage.away"]
        assert rows_of(table_of(event)) == []
        worker = Worker(send)
        worker.start()
        worker.join(SOON)
        assert [answer.status_code for answer in answers] == [AWAY, 201]
