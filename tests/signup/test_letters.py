"""Letters go out by the thread of the desk and by the command, each once; a mail server is named by one address."""

import json
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.utils import timezone

from tests.sign_ups import come, event_with
from tournament.signup.letter_sender import LetterThread, form_token, mail_of
from tournament.signup.letters import LINK_LIFE, STUCK, ask_for_link, claim_letter, tend_letters
from tournament.signup.models import Letter, LetterState
from web.server.settings_values import mail_server

pytestmark = pytest.mark.django_db


@pytest.fixture
def mailing(settings: Any) -> None:
    settings.MAIL, settings.DEFAULT_FROM_EMAIL = True, "desk@example.org"


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("mailing")
def test_the_thread_sends_what_is_ready_once(mailoutbox: Any):
    event = event_with()
    event.contact = {"mail": "club@example.org"}
    event.save()
    come(event, "Ada", minor=True, guardian="Gus", guardian_mail="gus@example.org", guardian_agrees=True)
    thread = LetterThread(tick=0)
    thread.run_once()
    thread.run_once()
    assert [(each.to, each.cc, each.reply_to) for each in mailoutbox] == [
        (["ada@example.org"], ["gus@example.org"], ["club@example.org"])
    ]


@pytest.mark.usefixtures("mailing")
def test_the_command_sends_them_too(mailoutbox: Any, settings: Any):
    come(event_with(), "Ada", "Ben", "Cem")
    out = StringIO()
    call_command("send_letters", stdout=out)
    assert (json.loads(out.getvalue()), len(mailoutbox)) == ({"sent": 3}, 3)
    settings.MAIL = False
    with pytest.raises(CommandError):
        call_command("send_letters")


def test_old_links_go_and_a_letter_whose_process_died_is_shown_as_failed():
    event = event_with()
    come(event, "Ada")
    ask_for_link(event=event, mail="ben@example.org", language="en-gb", sender="")
    token = form_token(event, "ben@example.org")
    assert claim_letter() is not None
    tend_letters()
    assert sorted(Letter.objects.values_list("state", flat=True)) == [LetterState.READY, LetterState.SENDING]
    with time_machine.travel(timezone.now() + STUCK * 2, tick=False):
        tend_letters()
        assert sorted(Letter.objects.values_list("state", flat=True)) == [LetterState.FAILED, LetterState.READY]
    assert mail_of(event, token) == "ben@example.org"
    with time_machine.travel(timezone.now() + LINK_LIFE * 1.01, tick=False):
        tend_letters()
        assert [each.to for each in Letter.objects.all()] == ["ada@example.org"]
        assert mail_of(event, token) == ""


def test_a_mail_server_is_one_address():
    assert mail_server("") == {}
    found = mail_server("smtp://club%40example.org:pass@mail.example.org")
    assert (found["user"], found["host"], found["port"], found["tls"]) == (
        "club@example.org",
        "mail.example.org",
        587,
        True,
    )
    assert mail_server("smtps://mail.example.org")["ssl"]
    assert not mail_server("smtp://localhost:25")["tls"]
    for wrong in ("mail.example.org", "smtp://", "imap://mail.example.org"):
        with pytest.raises(ImproperlyConfigured):
            mail_server(wrong)
