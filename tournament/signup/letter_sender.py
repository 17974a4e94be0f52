"""Letters in words, with their links, and the thread that sends them beside a serving desk.

A link is made when it is shown or sent, never stored. Without a mail server nothing is sent.
"""

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.db import DatabaseError, connection
from django.urls import reverse

from tournament.core.threads import LoopThread
from tournament.events.models import Event
from tournament.signup.letters import LINK_LIFE, claim_letter, note_failed, note_sent
from tournament.signup.messages import LINK, LetterText, say_letter
from tournament.signup.models import Letter, LetterState
from tournament.signup.queries import get_page, paid_by, sign_up_token

TICK = 5.0  # seconds between two looks for letters
_SALT = "hanchan.sign-up-form"


def form_token(event: Event, mail: str) -> str:
    """Return the end of the address of the form for the owner of this mail: signed, good for a week, stored nowhere."""
    return signing.dumps([event.slug, mail], salt=_SALT)


def mail_of(event: Event, token: str) -> str:
    """Return the mail address of a form's address; "" for one that is not whole, too old, or of another event."""
    try:
        slug, mail = signing.loads(token, salt=_SALT, max_age=LINK_LIFE)
    except (signing.BadSignature, ValueError, TypeError):
        return ""
    return str(mail) if slug == event.slug else ""


def link_of(letter: Letter, site: str) -> str:
    """Return the link of a letter."""
    slug = letter.event.slug
    if letter.sign_up is None:
        return site + reverse("public:sign_up_form", args=[slug, form_token(letter.event, letter.to)])
    return site + reverse("public:my_sign_up", args=[slug, sign_up_token(letter.sign_up)])


def letter_text(letter: Letter) -> LetterText:
    """Return a letter as it was sent, or as it would be now; its link is not in it."""
    if letter.state in (LetterState.SENT, LetterState.BY_HAND):
        return LetterText(letter.subject, letter.body)
    row = letter.sign_up
    return say_letter(
        letter,
        get_page(letter.event),
        open_fee=row.due - paid_by(row) if row else 0,
        reference=row.reference if row else "",
    )


def send_waiting() -> int:
    """Send every letter that is ready; return how many went. A fault of one stops no other."""
    count = 0
    while settings.MAIL and (letter := claim_letter()) is not None:
        count += _send(letter)
    return count


def _send(letter: Letter) -> bool:
    """Send a letter; what is wrong with it is noted with it, so that the next one goes."""
    try:
        said = _mail_out(letter)
    except DatabaseError:
        raise
    except Exception as fault:  # noqa: BLE001 - a letter that cannot be written or addressed, or a server that refuses
        note_failed(letter, f"{type(fault).__name__}: {fault}")
        return False
    note_sent(letter, subject=said.subject, body=said.body)
    return True


def _mail_out(letter: Letter) -> LetterText:
    said, contact = letter_text(letter), letter.event.contact.get("mail", "")
    mail = EmailMessage(
        subject=said.subject,
        body=said.body.replace(LINK, link_of(letter, get_page(letter.event).site)),
        to=[letter.to],
        cc=[letter.copy_to] if letter.copy_to else None,
        reply_to=[contact] if contact else None,
        headers={"Auto-Submitted": "auto-generated"},
    )
    mail.send()
    return said


class LetterThread(LoopThread):
    """Sends what is ready every few seconds, where there is a mail server."""

    def __init__(self, *, tick: float = TICK) -> None:
        super().__init__("letters")
        self.tick = tick

    def run_once(self) -> None:
        """Wait, and send what is ready."""
        if not self.stopping.wait(self.tick):
            send_waiting()
            connection.close()
