"""Sign-ups move to another database whole: links, money, letters, and whose player somebody is."""

from uuid import uuid4

import pytest

from tests.factories import writer_of
from tests.sign_ups import come, event_with
from tournament.archive.actions import get_sign_ups_file, take_sign_ups
from tournament.core.errors import DomainError
from tournament.signup.actions import cancel, make_players, note_payment
from tournament.signup.letters import ask_for_link
from tournament.signup.models import EmaPlayer, Letter, SignUp
from tournament.signup.queries import find_by_token, sign_up_token

pytestmark = pytest.mark.django_db


def test_what_is_moved_is_the_same_and_every_link_works():
    event = event_with()
    ada, _ben, cem = come(event, "Ada", "Ben", "Cem", answers={"Food": "vegan"})
    note_payment(sign_up=ada, amount=4000, client_id=uuid4(), by=writer_of(event))
    make_players(event=event, by=writer_of(event))
    cancel(sign_up=cem)
    ask_for_link(event=event, mail="dov@example.org", language="de", sender="")
    EmaPlayer.objects.create(number="04020001", name="Ada Moss")
    data, token, reference = get_sign_ups_file().encode(), sign_up_token(ada), ada.reference
    for model in (Letter, SignUp, EmaPlayer):
        model.objects.all().delete()
    assert take_sign_ups(data=data) == 3
    assert get_sign_ups_file().encode() == data
    found = find_by_token(event, token)
    assert found is not None
    assert (found.name, found.reference, found.player.number if found.player else 0) == ("Ada", reference, 1)
    for model in (Letter, SignUp, EmaPlayer):
        model.objects.all().delete()
    with pytest.raises(DomainError):
        take_sign_ups(data=data + b" ")
