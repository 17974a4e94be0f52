"""The look of an event: a colour that is read, a logo that is a picture and nothing else, and where they show."""

import base64
import io
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from tests.archive.archive_acts import empty_the_database
from tests.factories import fresh, make_account, writer_of
from tests.fixtures import own_event
from tests.pages.at_desk import organiser, referee
from tests.pages.html_reader import texts
from tournament.archive.actions import import_event
from tournament.archive.event_file import write_event_file
from tournament.archive.queries import get_event_file
from tournament.core.errors import DomainError
from tournament.core.models import AuditRow
from tournament.events.actions import copy_event, set_visibility
from tournament.events.models import Event, Logo, Photo, Visibility
from tournament.events.pictures import LOGO, contrast, set_picture
from tournament.pages.files import get_head
from tournament.paper.handouts import badges_leaves
from tournament.pdf.render import print_leaves
from tournament.tables.rows import BadgeRow

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

LOOK = "/desk/cup/settings/look/"


event = own_event(slug="cup", tables=1, rounds=2)


def picture(kind: str = "PNG", size: tuple[int, int] = (60, 40), **more: object) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, "#bb2200").save(out, kind, **more)
    return out.getvalue()


def send(client: Client, colour: str = "", logo: bytes = b"", **more: str) -> list[str]:
    files = {"logo": SimpleUploadedFile("logo.png", logo)} if logo else {}
    answer = client.post(LOOK, {"colour": colour, **files, **more}, follow=True)
    return [note.partition(" ")[2] for note in texts(answer, ".note")]


def test_a_colour_shows_on_public_pages_wall_overlay_and_paper(event: Event, client: Client) -> None:
    send(organiser(event), "#1F5A44")
    assert fresh(event).colour == "#1f5a44"
    for address in ("/e/cup/", "/e/cup/display/", "/e/cup/rounds/1/tables/1/overlay/"):
        assert "/e/cup/colour.css?v=1f5a44" in client.get(address).content.decode()
    assert ":root { --event: #1f5a44; }" in client.get("/e/cup/colour.css").content.decode()
    assert get_head(fresh(event)).colour == "#1f5a44"


def test_a_colour_on_which_white_is_not_read_is_made_darker_in_words(event: Event) -> None:
    said = send(organiser(event), "#ffd400")
    assert contrast(fresh(event).colour, "#ffffff") >= 4.5
    assert "The colour is darkened, so that white letters can be read on it." in said


@pytest.mark.parametrize("colour", ["red", "#12345", "#1234567", "#12345g", "url(x)"])
def test_what_is_no_colour_is_refused(event: Event, colour: str) -> None:
    assert send(organiser(event), colour) == ["A colour is written like #1f5a44."]
    assert fresh(event).colour == ""


def test_an_event_without_a_look_has_none(event: Event, client: Client) -> None:
    assert "colour.css" not in client.get("/e/cup/").content.decode()
    assert [client.get(f"/e/cup/{name}").status_code for name in ("colour.css", "logo.png")] == [404, 404]


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_a_logo_is_drawn_anew_without_what_else_the_file_held(event: Event, client: Client, kind: str) -> None:
    more = {}
    if kind == "PNG":
        more["pnginfo"] = PngInfo()
        more["pnginfo"].add_text("Author", "somebody's secret")
    send(organiser(event), logo=picture(kind, (1300, 500), **more) + b"somebody's secret")
    answer = client.get("/e/cup/logo.png")
    assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == ("image/png", "nosniff")
    assert b"secret" not in answer.content
    with Image.open(io.BytesIO(answer.content)) as found:
        assert (found.format, found.size, found.info) == ("PNG", (640, 246), {})
    assert f"/e/cup/logo.png?v={fresh(event).logo}" in client.get("/e/cup/").content.decode()
    assert get_head(fresh(event)).logo == answer.content


def photograph(size: tuple[int, int] = (3000, 4000)) -> bytes:
    """Return a JPEG as a phone takes it: its upper half blue, stored on its side with the place where it was taken."""
    upright = Image.new("RGB", size, "#bb2200")
    upright.paste("#0022bb", (0, 0, size[0], size[1] // 2))
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = 6, "somebody's secret"  # orientation: turn clockwise; description
    exif.get_ifd(0x8825)[2] = (52.0, 31.0, 12.0)  # GPS
    out = io.BytesIO()
    upright.rotate(90, expand=True).save(out, "JPEG", exif=exif)
    return out.getvalue()


def send_photo(client: Client, data: bytes = b"", **more: str) -> list[str]:
    files = {"photo": SimpleUploadedFile("photo.jpg", data)} if data else {}
    answer = client.post(LOOK, {"colour": "", **files, **more}, follow=True)
    return [note.partition(" ")[2] for note in texts(answer, ".note")]


@pytest.mark.follows("before/event.md")
def test_a_photo_is_turned_cut_and_drawn_again_and_shown_on_the_page_and_in_links(event: Event, client: Client) -> None:
    before = client.get("/e/cup/card.png").content
    for _time in range(2):
        send_photo(organiser(event), photograph())
    answer = client.get("/e/cup/photo.webp")
    assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == ("image/webp", "nosniff")
    assert len(answer.content) <= 60_000
    with Image.open(io.BytesIO(answer.content)) as found:
        assert (found.format, found.size, dict(found.getexif())) == ("WEBP", (960, 480), {})
        top = found.convert("RGB").crop((0, 0, 960, 20)).resize((1, 1)).tobytes()
        assert top[2] > top[0]  # upright: the sky is blue
    assert f"/e/cup/photo.webp?v={fresh(event).photo}" in client.get("/e/cup/").content.decode()
    assert client.get("/e/cup/card.png").content != before
    verbs = AuditRow.objects.filter(event=event, verb__startswith="photo").values_list("verb", flat=True)
    assert list(verbs) == ["photo_set"]
    send_photo(organiser(event), no_photo="on")
    assert (fresh(event).photo, Photo.objects.count(), client.get("/e/cup/photo.webp").status_code) == ("", 0, 404)
    assert "event-photo" not in client.get("/e/cup/").content.decode()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"no picture", "The file is not a picture that can be read: use PNG, JPEG, WebP or GIF."),
        (photograph()[:20], "The file is not a picture that can be read: use PNG, JPEG, WebP or GIF."),
        (picture(size=(5000, 5000)), "The picture has more than 20 million pixels."),
        (picture() + b"0" * 8_000_000, "The picture has more than 8 MB."),
    ],
)
def test_what_is_no_photo_is_refused(event: Event, data: bytes, said: str) -> None:
    assert send_photo(organiser(event), data) == [said]
    assert (fresh(event).photo, Photo.objects.count()) == ("", 0)


def test_a_photo_goes_with_the_events_file_its_copy_and_no_draft(event: Event, client: Client) -> None:
    send_photo(organiser(event), photograph((400, 300)))
    copy = copy_event(
        event=fresh(event), name="Next", date=event.date, place="", rounds=2, visibility=Visibility.PUBLIC, roles=False,
        by=writer_of(event),
    )  # fmt: skip
    assert (copy.photo, Photo.objects.get(event=copy).webp) == (fresh(event).photo, Photo.objects.get(event=event).webp)
    file = get_event_file(fresh(event))
    set_visibility(event=fresh(event), visibility=Visibility.DRAFT, by=writer_of(event))
    assert client.get("/e/cup/photo.webp").status_code == 404
    content = json.loads(file)["content"]
    empty_the_database()
    back = import_event(data=file.encode(), by=make_account())
    assert (len(back.photo), get_event_file(back)) == (16, file)
    empty_the_database()
    content["photo"] = [{"webp": base64.b64encode(SVG).decode()}]
    with pytest.raises(DomainError, match=r"archive\.contradiction"):
        import_event(data=write_event_file(content).encode(), by=make_account())


SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (SVG, "The file is not a picture that can be read: use PNG, JPEG, WebP or GIF."),
        (b"no picture", "The file is not a picture that can be read: use PNG, JPEG, WebP or GIF."),
        (picture()[:20], "The file is not a picture that can be read: use PNG, JPEG, WebP or GIF."),
        (picture("BMP"), "The file is not a picture that can be read: use PNG, JPEG, WebP or GIF."),
        (picture() + b"0" * 2_000_000, "The picture has more than 2 MB."),
        (picture(size=(5000, 5000)), "The picture has more than 20 million pixels."),
    ],
)
def test_what_is_no_small_picture_is_refused(event: Event, data: bytes, said: str) -> None:
    assert send(organiser(event), logo=data) == [said]
    assert (fresh(event).logo, Logo.objects.count()) == ("", 0)


@pytest.mark.follows("before/event.md")
def test_a_logo_sent_twice_is_one_act_and_it_can_be_deleted(event: Event, client: Client) -> None:
    for _time in range(2):
        send(organiser(event), logo=picture())
    assert list(AuditRow.objects.filter(event=event, verb__startswith="logo").values_list("verb", flat=True)) == [
        "logo_set"
    ]
    send(organiser(event), no_logo="on")
    assert (fresh(event).logo, Logo.objects.count()) == ("", 0)
    assert client.get("/e/cup/logo.png").status_code == 404


def test_only_those_who_set_an_event_up_change_its_look(event: Event, client: Client) -> None:
    for other in (client, referee(event)):
        other.post(LOOK, {"colour": "#1f5a44"})
    assert fresh(event).colour == ""


def test_the_look_of_a_draft_is_nobodys(event: Event, client: Client) -> None:
    send(organiser(event), "#1f5a44", picture())
    set_visibility(event=fresh(event), visibility=Visibility.DRAFT, by=writer_of(event))
    assert [client.get(f"/e/cup/{name}").status_code for name in ("colour.css", "logo.png")] == [404, 404]


def test_the_look_goes_with_the_events_file_byte_for_byte(event: Event) -> None:
    send(organiser(event), "#1f5a44", picture())
    file = get_event_file(fresh(event))
    empty_the_database()
    back = import_event(data=file.encode(), by=make_account())
    assert (back.colour, len(back.logo), Logo.objects.get(event=back).event_id) == ("#1f5a44", 16, back.pk)
    assert get_event_file(back) == file


@pytest.mark.parametrize(
    ("colour", "png"), [("red;}", None), (None, base64.b64encode(SVG).decode()), (None, "no base64!"), (None, "")]
)
def test_a_file_whose_look_is_none_is_refused(event: Event, colour: str | None, png: str | None) -> None:
    send(organiser(event), "#1f5a44", picture())
    content = json.loads(get_event_file(fresh(event)))["content"]
    content["event"]["colour"] = colour or content["event"]["colour"]
    content["logo"] = [{"png": png}] if png is not None else content["logo"]
    empty_the_database()
    with pytest.raises(DomainError, match=r"archive\.contradiction"):
        import_event(data=write_event_file(content).encode(), by=make_account())


@pytest.mark.postgresql
def test_paper_has_the_logo_and_the_colour(event: Event) -> None:
    plain = print_leaves(badges_leaves([BadgeRow("Ada Moss", 1)]), get_head(event))
    set_picture(event=event, kind=LOGO, data=picture(), by=writer_of(event))
    drawn = print_leaves(badges_leaves([BadgeRow("Ada Moss", 1)]), get_head(fresh(event)))
    assert (plain.pdf.count(b"/Subtype /Image"), drawn.pdf.count(b"/Subtype /Image") > 0) == (0, True)
