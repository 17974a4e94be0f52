"""Actions on sign-ups: arrive, confirm, cancel, offer a place and take it, fees, and becoming a player on the day.

Each locks the event, so that places are given in order of arrival and none twice. Offers whose deadline is over lapse
before any of them, and by `tend`. What people do by their own link is on the trail by number, without an account.
Amounts are in hundredths of the currency; references of payments have check digits (ISO 7064).
"""

import datetime as dt
import re
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Max

from scoring.problems import Problem, ProblemType
from scoring.strict_json import ENTRY_TEXT_TOO_LONG
from tournament.accounts.models import Account
from tournament.core.acts import Act, Group, Seals, Shown
from tournament.core.audit import append_audit
from tournament.core.errors import DomainError
from tournament.core.limits import MAX_CLUB, MAX_MAIL, MAX_NAME
from tournament.core.now import now
from tournament.core.rate_limits import Limiter, RateLimitedError, Source
from tournament.core.time_zones import today_at
from tournament.core.transaction import EventChange, event_transaction, require_text
from tournament.events.actions import CONTACT_MAIL_UNUSABLE, is_mail, mailbox_of
from tournament.events.models import ENGLISH, Event
from tournament.players.actions import (
    PLAYERS_EMA_NUMBER,
    PLAYERS_NAME_MISSING,
    NewPlayer,
    check_in,
    player_facts,
    taken_names,
    write_players,
)
from tournament.players.models import Player
from tournament.publication.names import pattern_of
from tournament.signup.letters import write_letter
from tournament.signup.models import ACTIVE, FeePayment, Letter, SignUp, SignUpPage, SignUpState
from tournament.signup.queries import begins_at, count_places, get_page, is_open
from tournament.tables.round_queries import list_days
from tournament.text.money import MAX_AMOUNT, SIGN_UP_AMOUNT_WRONG
from tournament.text.names import find_country

SIGN_UP_ARRIVED = Act("sign_up_arrived", "sign-up {sign_up} came in: {as}", Seals.OWN)
SIGN_UP_OFFERS_LAPSED = Act("sign_up_offers_lapsed", "offers lapsed: sign-ups {sign_ups}", Seals.OWN)
SIGN_UP_PLACES_OFFERED = Act("sign_up_places_offered", "places were offered to sign-ups {sign_ups}", shown=Shown.DESK)
SIGN_UP_OFFER_ACCEPTED = Act("sign_up_offer_accepted", "sign-up {sign_up} accepted the place", Seals.OWN)
SIGN_UP_CANCELLED = Act(
    "sign_up_cancelled",
    "cancelled sign-up {sign_up} ({reason})",
    Seals.OWN,
    without_reason="cancelled sign-up {sign_up}",
)
SIGN_UPS_CONFIRMED = Act("sign_ups_confirmed", "confirmed sign-ups {sign_ups}", Seals.OWN)
SIGN_UP_PLACE_GIVEN = Act("sign_up_place_given", "gave sign-up {sign_up} a place out of turn: {reason}", Seals.OWN)
SIGN_UP_CONSENT_SET = Act("sign_up_consent_set", "sign-up {sign_up} changed what may be shown")

SIGN_UP_TOO_MANY = ProblemType("sign_up.too_many", "Too many forms came from here. Try again in {wait}.")
SIGN_UP_CLOSED = ProblemType("sign_up.closed", "Sign-up is closed.")
SIGN_UP_FULL_OF_UNCONFIRMED = ProblemType(
    "sign_up.full_of_unconfirmed", "Too many sign-ups wait for the organiser. Try again later."
)
SIGN_UP_COUNTRY_UNKNOWN = ProblemType(
    "sign_up.country_unknown", "“{country}” is not a known country: write its name in English, or its code."
)
SIGN_UP_GUARDIAN_MISSING = ProblemType(
    "sign_up.guardian_missing",
    "For anybody under 18 a guardian must agree: write the guardian's name and email, and tick the box.",
)
SIGN_UP_GUARDIAN_SAME_MAIL = ProblemType(
    "sign_up.guardian_same_mail",
    "The guardian needs an email address of their own, not that of the minor: each letter goes to both.",
)
SIGN_UP_ANSWER_TOO_LONG = ProblemType("sign_up.answer_too_long", "An answer is too long: at most {most} characters.")
SIGN_UP_GONE = ProblemType("sign_up.gone", "This sign-up was deleted.")
SIGN_UP_NO_OFFER = ProblemType("sign_up.no_offer", "No place is offered to you now, or the time to accept it is over.")
SIGN_UP_IS_PLAYER = ProblemType("sign_up.is_player", "This person is already in the list of players: change that list.")
SIGN_UP_NO_PLACE = ProblemType("sign_up.no_place", "No place is free: set more places first.")
SIGN_UP_KNOWN = ProblemType("sign_up.known", "This address or EMA number is signed up already.")
SIGN_UP_REASON_MISSING = ProblemType("sign_up.reason_missing", "Write a reason: it stays in the trail.")

MAX_LETTERS = {
    "name": MAX_NAME,
    "mail": MAX_MAIL,
    "club": MAX_CLUB,
    "guardian": MAX_NAME,
    "guardian_mail": MAX_MAIL,
}
MAX_ANSWER = 300
MAX_UNCONFIRMED = 1000
# A hall, a club or a mobile network shares one address; who comes by a letter's link is counted by their own mail
SENT = Limiter(scope="sign-up", span=dt.timedelta(minutes=10), proven=20, network=100)
LOOKS = Limiter(scope="sign-up-look", span=dt.timedelta(minutes=10), proven=20, network=100)


@dataclass(frozen=True, slots=True)
class NewSignUp:
    """What somebody says of themselves; `guardian_agrees` is the word of a minor's guardian."""

    name: str
    mail: str
    ema_number: str = ""
    country: str = ""
    club: str = ""
    language: str = ENGLISH
    show_name: bool = False
    photo: bool = False
    stream: bool = False
    minor: bool = False
    guardian: str = ""
    guardian_mail: str = ""
    guardian_agrees: bool = False
    answers: Mapping[str, str] = field(default_factory=dict)


def count_sender(event: Event, sender: str, limiter: Limiter = SENT, *, mail: str = "") -> None:
    """Count a form sent from a network, or a number looked up; raises RateLimitedError.

    `mail`: a letter's link to this address proves who sends it.
    """
    if wait := limiter.count(Source(sender, f"{event.pk} {mail.casefold()}", proven=bool(mail))):
        raise RateLimitedError(SIGN_UP_TOO_MANY, wait=wait)


def sign_up(*, event: Event, new: NewSignUp, client_id: UUID, proven: bool) -> SignUp:
    """Take a sign-up in order of arrival; a known `client_id` returns its row, a known address its sign-up.

    `proven`: it came by the link that was sent to its address. Any other waits for the organiser, and so does one whose
    EMA number is signed up already. Raises DomainError for invalid facts, and while no sign-ups are taken.
    """
    facts, problems = _facts(new)
    if problems:
        raise DomainError(*problems)
    with event_transaction(event, SIGN_UP_ARRIVED, by=None) as change:
        page = get_page(change.event)
        settle(change, page)
        if known := change.find_by_client_id(change.event.sign_ups, client_id):
            return known
        if not is_open(page, change.at):
            raise DomainError(SIGN_UP_CLOSED())
        same = change.event.sign_ups.filter(state__in=ACTIVE)
        if proven and (mine := same.filter(mail=facts["mail"]).first()):
            change.mark_unchanged()
            return mine
        doubtful = not proven or (facts["ema_number"] and same.filter(ema_number=facts["ema_number"]).exists())
        if doubtful and count_places(change.event, page).unconfirmed >= MAX_UNCONFIRMED:
            raise DomainError(SIGN_UP_FULL_OF_UNCONFIRMED())
        last = change.event.sign_ups.aggregate(last=Max("number"))["last"] or 0
        row = SignUp(
            event=change.event,
            number=last + 1,
            client_id=client_id,
            state=SignUpState.UNCONFIRMED,
            fee=page.fee,
            reference=payment_reference(event.pk, last + 1),
            salt=secrets.token_hex(16),
            arrived_at=change.at,
            guardian_consent_on=change.at.date() if new.minor and new.guardian_agrees else None,
            **facts,
        )
        if doubtful:
            row.save()
            write_letter(row, Letter.Kind.RECEIVED, at=change.at)
        else:
            _seat(change, page, row)
        change.details = {"sign_up": row.number, "as": row.state}
    return row


def _facts(new: NewSignUp) -> tuple[dict[str, object], list[Problem]]:
    """Return the columns that somebody's words make, and what is wrong with them."""
    text = {key: " ".join(str(getattr(new, key)).split()) for key in MAX_LETTERS}
    text |= {"mail": text["mail"].casefold(), "ema_number": new.ema_number.replace(" ", "").strip()}
    country = find_country(new.country) if new.country.strip() else ""
    problems = []
    if not text["name"]:
        problems.append(PLAYERS_NAME_MISSING())
    problems += [ENTRY_TEXT_TOO_LONG(key=key, most=most) for key, most in MAX_LETTERS.items() if len(text[key]) > most]
    if not is_mail(text["mail"]):
        problems.append(CONTACT_MAIL_UNUSABLE(mail=text["mail"][:60]))
    if text["ema_number"] and not re.fullmatch("[0-9]{8}", text["ema_number"]):
        problems.append(PLAYERS_EMA_NUMBER(number=text["ema_number"][:20]))
    if country is None:
        problems.append(SIGN_UP_COUNTRY_UNKNOWN(country=new.country.strip()[:40]))
    if new.minor and not (text["guardian"] and is_mail(text["guardian_mail"]) and new.guardian_agrees):
        problems.append(SIGN_UP_GUARDIAN_MISSING())
    elif new.minor and mailbox_of(text["guardian_mail"]) == mailbox_of(text["mail"]):
        problems.append(SIGN_UP_GUARDIAN_SAME_MAIL())
    if any(len(answer) > MAX_ANSWER for answer in new.answers.values()):
        problems.append(SIGN_UP_ANSWER_TOO_LONG(most=MAX_ANSWER))
    guardian = {} if new.minor else {"guardian": "", "guardian_mail": ""}
    ticks = {key: getattr(new, key) for key in ("show_name", "photo", "stream", "minor")}
    language = new.language if new.language in dict(settings.LANGUAGES) else ENGLISH
    answers = {key: answer.strip() for key, answer in new.answers.items() if answer.strip()}
    facts = {**text, **guardian, **ticks, "country": country or "", "language": language, "answers": answers}
    return facts, problems


def _seat(change: EventChange, page: SignUpPage, row: SignUp) -> None:
    """Give a place, or put on the waiting list where none is free or somebody waits already."""
    places = count_places(change.event, page)
    free = places.free and not places.waiting
    row.state = SignUpState.PLACE if free else SignUpState.WAITING
    row.placed_at = change.at if free else None
    row.save()
    write_letter(row, Letter.Kind.PLACE if free else Letter.Kind.WAITING, at=change.at)


def settle(change: EventChange, page: SignUpPage) -> None:
    """Let offers lapse whose deadline is over, and offer free places to those who have waited longest."""
    rows = change.event.sign_ups.select_related("event")
    over = list(rows.filter(state=SignUpState.OFFERED, offer_until__lte=change.at))
    for row in over:
        _end(row, SignUp.Ended.LAPSED, change.at)
    free = count_places(change.event, page).free
    until = min(change.at + dt.timedelta(hours=page.offer_hours), begins_at(change.event))
    waiting = rows.filter(state=SignUpState.WAITING).order_by("number") if until > change.at else rows.none()
    offered = list(waiting[:free])
    for row in offered:
        row.state, row.offer_until = SignUpState.OFFERED, until
        row.save(update_fields=["state", "offer_until"])
        write_letter(row, Letter.Kind.OFFER, at=change.at)
    if over:
        append_audit(change.event, SIGN_UP_OFFERS_LAPSED, _told(over), by="", at=change.at)
    if offered:
        append_audit(change.event, SIGN_UP_PLACES_OFFERED, _told(offered), by="", at=change.at)


def _told(rows: Sequence[SignUp]) -> dict[str, object]:
    return {"sign_ups": [row.number for row in rows]}


def settle_event(event: Event) -> None:
    """Settle an event's offers if any deadline is over; one query where none is."""
    if event.sign_ups.filter(state=SignUpState.OFFERED, offer_until__lte=now()).exists():
        with event_transaction(event, SIGN_UP_OFFERS_LAPSED, by=None) as change:
            settle(change, get_page(change.event))
            change.mark_unchanged()  # what it did is on the trail already


def _end(row: SignUp, ended: str, at: dt.datetime) -> None:
    row.state, row.ended, row.ended_at, row.offer_until = SignUpState.CANCELLED, ended, at, None
    row.save(update_fields=["state", "ended", "ended_at", "offer_until"])
    write_letter(row, Letter.Kind.LAPSED if ended == SignUp.Ended.LAPSED else Letter.Kind.CANCELLED, at=at)


def lock_sign_up(change: EventChange, sign_up: SignUp) -> SignUp:
    """Return a sign-up as it is now, under the event's lock; raises DomainError where its data are gone."""
    found = (
        change.event.sign_ups.select_related("event", "player__person").filter(pk=sign_up.pk, erased_at=None).first()
    )
    if found is None:
        raise DomainError(SIGN_UP_GONE())
    return found


def reason_for(row: SignUp, reason: str) -> str:
    """Return a reason as the trail keeps it, without the name; raises DomainError where there is none."""
    return pattern_of([row.name]).sub("–", require_text(reason, SIGN_UP_REASON_MISSING))


def accept_offer(*, sign_up: SignUp) -> bool:
    """Take the place that is offered; return whether that is new. Raises DomainError where none is offered any more."""
    settle_event(sign_up.event)
    with event_transaction(sign_up.event, SIGN_UP_OFFER_ACCEPTED, by=None) as change:
        row = lock_sign_up(change, sign_up)
        change.details = {"sign_up": row.number}
        if row.state == SignUpState.PLACE:
            return change.mark_unchanged()
        if row.state != SignUpState.OFFERED:
            raise DomainError(SIGN_UP_NO_OFFER())
        change.set_columns(row, state=SignUpState.PLACE, placed_at=change.at, offer_until=None)
        write_letter(row, Letter.Kind.PLACE, at=change.at)
        return True


def cancel(*, sign_up: SignUp, reason: str = "", by: Account | None = None) -> bool:
    """Cancel a sign-up, by its own link or, with a reason, by the organiser; its place goes to who waits.

    Return whether that is new. Raises DomainError for a player: of those the list of players says who leaves.
    """
    with event_transaction(sign_up.event, SIGN_UP_CANCELLED, by=by) as change:
        row = lock_sign_up(change, sign_up)
        change.details = {"sign_up": row.number}
        if by is not None:
            change.details["reason"] = reason_for(row, reason)
        if row.state == SignUpState.CANCELLED:
            return change.mark_unchanged()
        if row.player_id is not None:
            raise DomainError(SIGN_UP_IS_PLAYER())
        _end(row, SignUp.Ended.DESK if by else SignUp.Ended.SELF, change.at)
        settle(change, get_page(change.event))
        return True


def confirm(*, event: Event, numbers: Collection[int], by: Account) -> list[int]:
    """Confirm sign-ups whose address nobody has proven, in order of arrival; return the numbers of those confirmed.

    Somebody who is signed up already, by address or EMA number, stays unconfirmed.
    """
    with event_transaction(event, SIGN_UPS_CONFIRMED, by=by) as change:
        page = get_page(change.event)
        settle(change, page)
        done = []
        asked = change.event.sign_ups.filter(number__in=numbers, state=SignUpState.UNCONFIRMED, erased_at=None)
        for row in asked.select_related("event").order_by("number"):
            if not _is_known(row):
                _seat(change, page, row)
                done.append(row.number)
        change.details = {"sign_ups": done}
        if not done:
            change.mark_unchanged()
    return done


def _is_known(row: SignUp) -> bool:
    same = row.event.sign_ups.filter(state__in=ACTIVE).exclude(pk=row.pk)
    by_number = row.ema_number and same.filter(ema_number=row.ema_number).exists()
    return bool(by_number or same.filter(mail=row.mail).exists())


def give_place(*, sign_up: SignUp, reason: str, by: Account) -> bool:
    """Give somebody a free place out of turn, with a reason; return whether that is new.

    Raises DomainError where no place is free, and for somebody who is signed up a second time.
    """
    with event_transaction(sign_up.event, SIGN_UP_PLACE_GIVEN, by=by) as change:
        page = get_page(change.event)
        row = lock_sign_up(change, sign_up)
        change.details = {"sign_up": row.number, "reason": reason_for(row, reason)}
        if row.state == SignUpState.PLACE:
            return change.mark_unchanged()
        if row.state != SignUpState.OFFERED and not count_places(change.event, page).free:
            raise DomainError(SIGN_UP_NO_PLACE())
        if _is_known(row):
            raise DomainError(SIGN_UP_KNOWN())
        change.set_columns(
            row,
            state=SignUpState.PLACE,
            placed_at=change.at,
            offer_until=None,
            ended=SignUp.Ended.NOBODY,
            ended_at=None,
        )
        write_letter(row, Letter.Kind.PLACE, at=change.at)
        return True


def set_consent(*, sign_up: SignUp, show_name: bool, photo: bool, stream: bool) -> bool:
    """Set what somebody agrees to, by their own link, at their player, too; return whether that is new."""
    with event_transaction(sign_up.event, SIGN_UP_CONSENT_SET, by=None) as change:
        row = lock_sign_up(change, sign_up)
        change.details = {"sign_up": row.number}
        new = change.set_columns(row, show_name=show_name, photo=photo, stream=stream)
        if new and row.player:
            free = not player_facts(row.player).unguarded
            row.player.shown_by_name, row.player.filmed = show_name and free, photo and stream and free
            row.player.save(update_fields=["shown_by_name", "filmed"])
        return new


_MODULUS = 97


def payment_reference(event: int, number: int) -> str:
    """Return the reference of a payment: a creditor reference of ISO 11649, whose check digits banks know.

    >>> payment_reference(7, 12)
    'RF23E7N12'
    """
    body = f"E{event}N{number}"
    return f"RF{98 - _remainder(body + 'RF00'):02}{body}"


def is_iban(text: str) -> bool:
    """Tell whether a text without spaces is an IBAN with right check digits.

    >>> is_iban("DE89370400440532013000"), is_iban("DE88370400440532013000"), is_iban("")
    (True, False, False)
    """
    fits = re.fullmatch("[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}", text)
    return bool(fits) and _remainder(text[4:] + text[:4]) == 1


def _remainder(text: str) -> int:
    """Return the remainder of ISO 7064 (MOD 97-10): letters count as 10 to 35."""
    return int("".join(str(int(sign, 36)) for sign in text)) % _MODULUS


SIGN_UP_FEE_SET = Act("sign_up_fee_set", "set the fee of sign-up {sign_up} to {amount}: {reason}", Seals.OWN)
SIGN_UP_PAID = Act("sign_up_paid", "noted a payment of {amount} for sign-up {sign_up}", Seals.OWN)

MAX_NOTE = 60


def set_fee(*, sign_up: SignUp, fee: int, reason: str, by: Account) -> bool:
    """Set what one person is to pay, with a reason; return whether that is new."""
    if not 0 <= fee <= MAX_AMOUNT:
        raise DomainError(SIGN_UP_AMOUNT_WRONG())
    with event_transaction(sign_up.event, SIGN_UP_FEE_SET, by=by) as change:
        row = lock_sign_up(change, sign_up)
        change.details = {"sign_up": row.number, "amount": fee, "reason": reason_for(row, reason)}
        return change.set_columns(row, fee=fee)


def note_payment(*, sign_up: SignUp, amount: int, note: str = "", client_id: UUID, by: Account) -> FeePayment:
    """Note money that came in, or with a minus went back; a known `client_id` returns its row."""
    with event_transaction(sign_up.event, SIGN_UP_PAID, by=by) as change:
        row = lock_sign_up(change, sign_up)
        return _note(change, {"sign_up": row.number}, amount, note, client_id, sign_up=row)


MONEY_NOTED = Act("money_noted", "noted money of the event: {amount}", Seals.OWN)


def note_money(
    *, event: Event, amount: int, note: str = "", player: Player | None = None, client_id: UUID, by: Account
) -> FeePayment:
    """Note money of the event without a sign-up: it came in, or with a minus went out; `player`: whose fee it is."""
    with event_transaction(event, MONEY_NOTED, by=by) as change:
        return _note(change, {"player": player.number} if player else {}, amount, note, client_id, player=player)


def _note(
    change: EventChange, details: dict[str, Any], amount: int, note: str, client_id: UUID, **of: SignUp | Player | None
) -> FeePayment:
    if not amount or abs(amount) > MAX_AMOUNT:
        raise DomainError(SIGN_UP_AMOUNT_WRONG())
    if known := change.find_by_client_id(FeePayment.objects, client_id, event_id=change.event.pk, **of):
        return known
    change.details = {"amount": amount, **details}
    given: dict[str, Any] = {"amount": amount, "note": " ".join(note.split())[:MAX_NOTE], "client_id": client_id, **of}
    return FeePayment.objects.create(event=change.event, given_by=change.by, given_at=change.at, **given)


SIGN_UPS_MADE_PLAYERS = Act("sign_ups_made_players", "created players of sign-ups: {numbers}", groups=Group.PLAYER_LIST)

SIGN_UP_NO_CHECK_IN = ProblemType("sign_up.no_check_in", "You cannot check in on this page now.")


@dataclass(frozen=True, slots=True)
class EntryResult:
    """What became of sign-ups, by their numbers: added as players, found in the list, or left out.

    Left out is who has the name of a player with another EMA number: the organiser tells them apart.
    """

    added: tuple[int, ...]
    found: tuple[int, ...]
    left_out: tuple[int, ...]


def make_players(*, event: Event, by: Account) -> EntryResult:
    """Make a player of everybody who has a place and is none yet, in order of arrival; a second time changes nothing.

    A player with the same EMA number, or the same name where one of both has no number, is the same person.
    """
    with event_transaction(event, SIGN_UPS_MADE_PLAYERS, by=by) as change:
        rows = change.event.sign_ups.filter(state=SignUpState.PLACE, player=None, erased_at=None).order_by("number")
        known = list(change.event.players.filter(sign_ups=None).select_related("person"))
        taken = taken_names(change.event)
        new, found, left_out = list[SignUp](), list[SignUp](), list[SignUp]()
        for row in rows:
            player = _same(row, known)
            if player:
                row.player = player
                found.append(row)
                known.remove(player)
            elif row.name.casefold() in taken:
                left_out.append(row)
            else:
                new.append(row)
                taken.add(row.name.casefold())
        last = change.event.players.aggregate(last=Max("number"))["last"] or 0
        players = write_players(change.event, last, [new_player(row) for row in new])
        for row, player in zip(new, players, strict=True):
            row.player = player
        SignUp.objects.bulk_update([*new, *found], ["player"])
        change.details = {"numbers": [player.number for player in players], "sign_ups": [row.number for row in new]}
        if not (new or found):
            change.mark_unchanged()
    return EntryResult(_numbers(new), _numbers(found), _numbers(left_out))


def _numbers(rows: Sequence[SignUp]) -> tuple[int, ...]:
    return tuple(row.number for row in rows)


def _same(row: SignUp, players: Sequence[Player]) -> Player | None:
    for player in players:
        person = player.person
        if row.ema_number and person.ema_number:
            same = row.ema_number == person.ema_number
        else:
            same = row.name.casefold() == person.preferred_name.casefold()
        if same:
            return player
    return None


def new_player(row: SignUp) -> NewPlayer:
    """Return a sign-up as a player: pictures need the word for photographs and for the stream."""
    return NewPlayer(
        preferred_name=row.name,
        ema_number=row.ema_number,
        country=row.country,
        club=row.club,
        shown_by_name=row.show_name,
        filmed=row.photo and row.stream,
        minor=row.minor,
        guardian=row.guardian,
        guardian_consent_on=row.guardian_consent_on,
    )


def may_check_in(sign_up: SignUp) -> bool:
    """Tell whether somebody may check in by their link now: allowed, a player, on a day of the event; two queries."""
    if sign_up.player is None or sign_up.player.withdrawn_at or not get_page(sign_up.event).self_check_in:
        return False
    return today_at(sign_up.event) in list_days(sign_up.event)


def check_in_by_link(*, sign_up: SignUp) -> bool:
    """Check somebody in by their link; return whether that is new. Raises DomainError where that is not allowed."""
    if not may_check_in(sign_up) or sign_up.player is None:
        raise DomainError(SIGN_UP_NO_CHECK_IN())
    return check_in(player=sign_up.player, here=True, by=None)
