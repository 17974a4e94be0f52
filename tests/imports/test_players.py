import io

import pytest
from openpyxl import Workbook

from scoring.problems import Problem
from tests.imports.lists import read_players
from tests.table_test import tabled
from tournament.imports.listing import Grade
from tournament.imports.players import PlayerDraft, PlayerPreview


def read(text: str, *, existing: tuple[str, ...] = ()) -> PlayerPreview:
    return read_players(text.encode(), "players.csv", existing=existing)


def meanings(text: str) -> list[tuple[str, str, bool]]:
    return [(column.letter, column.meaning, column.used) for column in read(text).columns]


def row_problems(text: str, *, existing: tuple[str, ...] = ()) -> list[tuple[str, dict]]:
    return [
        (problem.code, dict(problem.params))
        for draft in read(text, existing=existing).drafts
        for problem in draft.problems
    ]


class TestColumns:
    @tabled(
        "heading",
        [
            *("Name", "NAME ", "Nme", "Player", "Palyer", "Player name", "Full Name", "Participants"),
            *("Spieler", "Spieler/in", "Teilnehmer", "Joueur", "Nom du joueur"),
            *("プレイヤー", "選手名", "氏名", "お名前（漢字）"),
            *("Your name:", "What is your name?", "Name (as on the badge)"),
        ],
    )
    def test_names_of_the_name_column(self, heading):
        preview = read(f"{heading}\nAda Moss\n")
        assert [draft.preferred_name for draft in preview.drafts] == ["Ada Moss"]

    @tabled(
        "heading, meaning",
        [
            ("EMA number", "ema_number"),
            ("EMA-Nr.", "ema_number"),
            ("n° EMA", "ema_number"),
            ("EMA #", "ema_number"),
            ("EMA番号", "ema_number"),
            ("EMA number (if you have one)", "ema_number"),
            ("Country", "country"),
            ("Contry", "country"),
            ("Land", "country"),
            ("Pays", "country"),
            ("国籍", "country"),
            ("Which country do you play for?", "country"),
            ("Club", "club"),
            ("Verein", "club"),
            ("Équipe", "team"),
            ("equipe", "team"),
            ("所属", "club"),
            ("Nickname", "preferred_name"),
            ("Spitzname", "preferred_name"),
            ("Pseudo", "preferred_name"),
            ("Legal name", "legal_name"),
            ("本名", "legal_name"),
        ],
    )
    def test_names_of_other_columns(self, heading, meaning):
        assert meanings(f"Name,{heading}\nAda,x\n")[1] == ("B", meaning, True)

    @tabled(
        "heading",
        ["E-Mail", "Email address", "メール", "Rating", "MERS", "Rang", "No.", "#", "Zeitstempel", "Paid", "Xyz", ""],
    )
    def test_columns_that_are_not_used(self, heading):
        preview = read(f"Name,{heading},Club\nAda,x,Graz\n")
        assert [(column.heading, column.used) for column in preview.columns] == [
            ("Name", True),
            (heading, False),
            ("Club", True),
        ]
        assert preview.is_sound

    def test_what_was_guessed_and_how_surely_is_told(self):
        preview = read("Nme,Verein,Your e-mail,Shoe size\nAda,Graz,a@example.org,38\n")
        assert [(column.text, column.meaning, column.used, column.grade) for column in preview.columns] == [
            ("A “Nme”", "name", True, Grade.ALIKE),
            ("B “Verein”", "club", True, Grade.KNOWN),
            ("C “Your e-mail”", "email", False, Grade.WORD),
            ("D “Shoe size”", "", False, Grade.NONE),
        ]

    @pytest.mark.parametrize(
        "headings",
        ["Vorname,Name", "Prénom,Nom", "First name,Last name", "名,姓", "Given name,Surname", "Vorname,Nachname"],
    )
    def test_first_and_last_name(self, headings):
        assert [draft.preferred_name for draft in read(f"{headings}\nAda,Moss\nEve,Ash\n").drafts] == [
            "Ada Moss",
            "Eve Ash",
        ]

    def test_preferred_beside_full_and_legal_names(self):
        drafts = read(
            "Name,Nickname,Legal name\nAda Moss,,\nEve Ash,Evi,\nJo Elm,Jo,Johanna Elm\n,,Kay Fir\nLu Oak,Lu Oak,\n"
        ).drafts
        assert [(draft.preferred_name, draft.legal_name) for draft in drafts] == [
            ("Ada Moss", ""), ("Evi", "Eve Ash"), ("Jo", "Johanna Elm"), ("Kay Fir", "Kay Fir"), ("Lu Oak", ""),
        ]  # fmt: skip

    def test_header_below_titles(self):
        preview = read("Spring Open 2026\nGraz; 12 September\n\nNo.;Name;Club\n1;Ada Moss;Graz\n")
        assert (preview.header_row, preview.drafts) == (4, (PlayerDraft("Ada Moss", club="Graz", row=5),))

    def test_second_column_of_a_meaning_is_told(self):
        preview = read("Name,Club,Verein\nAda,Graz,Wien\n")
        assert (preview.problems, preview.drafts[0].club) == (
            (Problem("import.column_twice", {"column": "C “Verein”", "meaning": "club"}, "warning"),),
            "Graz",
        )

    def test_without_a_name_column_the_columns_are_listed(self):
        preview = read("Shoe,Size\n1,2\n")
        assert preview.problems == (Problem("import.no_name_column", {"columns": "A “Shoe”, B “Size”"}),)
        assert (preview.drafts, preview.is_sound) == ((), False)

    def test_a_list_without_heading_loses_nobody_silently(self):
        assert [problem.code for problem in read("Player 001\nPlayer 002\n").problems] == ["import.no_name_column"]

    @pytest.mark.parametrize(
        ("text", "columns"),
        [
            ("Ada Moss\nBo Elm\n", ["name"]),
            ("\n1\tAda Moss\tSWE\t01020304\n2\tBo Elm\tNorway\n", ["count", "name", "country", "ema_number"]),
            ("Player 001\nPlayer 002\n", None),
            ("Ada Moss\tTorii\nBo Elm\tPolder\n", None),  # which of the two is the name?
        ],
    )
    def test_names_need_no_headings(self, text, columns):
        preview = read(text)
        assert [draft.preferred_name for draft in preview.drafts] == (["Ada Moss", "Bo Elm"] if columns else [])
        assert [column.meaning for column in preview.columns] == columns or columns is None
        code = "import.no_headings" if columns else "import.no_name_column"
        assert [problem.code for problem in preview.problems] == [code]

    @pytest.mark.parametrize(
        "text",
        [
            "Nick Berg\nAda Moss\nBo Elm\n",
            "Ada Moss\nBo Elm\nNick Berg\nCy Dow\n",
            "Nick (NL)\nAda (DE)\n",
            "Nick\nAda\nBo\n",
            "Max\nNicky\nElias\nGrace\nAlia\nNoam\nJames\nEmma\n",  # like "nick", "alias", "nom" and the Polish "gracz"
            "Ada Moss\tSWE\nNick Berg\tDEU\nGrace Elm\tPOL\n",
            "Nick Berg,04010001\nAda Moss,04010002\n",
            "Moss, Ada\nBerg, Nick\nElm, Bo\nDow, Grace\n",
            "Gary Player\nAda Moss\n",
            "Gary Player\tZAF\nAda Moss\tAUT\n",
            "Naama\nAda\nEve\n",  # like the Dutch "naam"
            "Austria\nGermany\nFrance\n",  # one column is of names, whatever they are
        ],
    )
    def test_a_name_like_a_heading_loses_nobody(self, text):
        preview = read(text)
        assert len(preview.drafts) == text.count("\n")
        assert [problem.code for problem in preview.problems] == ["import.no_headings"]

    @pytest.mark.parametrize(
        "heading", ["Nick", "Nickname", "Names", "Nme", "Noms", "Your Name", "Full name of player"]
    )
    def test_one_heading_beside_names_like_headings(self, heading):
        both = read(f"{heading},Club\nNick,Graz\nGrace,Graz\n")
        assert [draft.preferred_name for draft in both.drafts] == ["Nick", "Grace"]
        alone = read(f"{heading}\nNick Berg\nGrace Elm\n")
        assert [draft.preferred_name for draft in alone.drafts][-2:] == ["Nick Berg", "Grace Elm"]
        assert len(alone.drafts) == (3 if heading == "Nick" else 2)  # a given name, too: said to be read as one

    def test_one_word_of_a_family_name_is_a_heading_beside_another(self):
        assert [draft.preferred_name for draft in read("Gary Player,Club\nAda Moss,Graz\n").drafts] == ["Ada Moss"]
        assert [draft.preferred_name for draft in read("Name of Player\nGary Player\n").drafts] == ["Gary Player"]

    def test_heading_alone(self):
        preview = read("Name,Club\n")
        assert (preview.problems, preview.is_sound) == ((Problem("import.no_rows", {"row": 1}),), False)

    def test_players_on_the_second_worksheet(self, make_xlsx):
        data = make_xlsx(Info=[["Welcome"], ["=TODAY()"]], List=[["Name"], ["Ada Moss"]])
        preview = read_players(data, "players.xlsx")
        assert (preview.sheet.worksheet, [draft.preferred_name for draft in preview.drafts]) == ("List", ["Ada Moss"])

    def test_refused_file(self):
        preview = read_players(b"", "players.xlsx")
        assert (preview.sheet, preview.problems, preview.is_sound) == (None, (Problem("import.file_empty", {}),), False)


class TestNames:
    def test_nobody(self):
        assert row_problems("Name,Club\n,Graz\n") == [("import.name_missing", {"row": 2})]

    def test_sixty_letters_at_most(self):
        assert row_problems(f"Name\n{'x' * 60}\n") == []
        assert row_problems(f"Name\n{'x' * 61}\n") == [("import.name_too_long", {"row": 2, "letters": 61, "limit": 60})]

    def test_forty_letters_and_japanese_come_through(self):
        names = ["Maximiliane-Theodora von und zu Ahornhain", "東海林 さくら", "Żaneta Øst"]
        assert [draft.preferred_name for draft in read("Name\n" + "\n".join(names)).drafts] == names

    def test_controls(self):
        assert row_problems("Name\nAda\x07Moss\n") == [("import.name_controls", {"row": 2, "name": "Ada□Moss"})]

    def test_signs_of_a_wrong_encoding(self):
        assert row_problems("Name\nZoÃ«\nA\ufffdda\n") == [
            ("import.name_garbled", {"row": 2, "name": "ZoÃ«", "suggestion": "Zoë"}),
            ("import.name_letters_lost", {"row": 3, "name": "A\ufffdda"}),
        ]

    def test_no_letter(self):
        assert row_problems("Name\n42\n") == [("import.name_no_letter", {"row": 2, "name": "42"})]

    @pytest.mark.parametrize("second", ["ada moss", "Moss Ada", "MOSS, Ada", "Àda  Móss"])
    def test_twice_in_the_file(self, second):
        preview = read(f'Name\nAda Moss\n"{second}"\n')
        shown = preview.drafts[1].preferred_name
        assert preview.drafts[1].problems == (Problem("import.name_twice", {"row": 3, "name": shown, "other_row": 2}),)
        assert [draft.is_sound for draft in preview.drafts] == [True, False]

    def test_in_the_event_already(self):
        assert row_problems("Name\nmoss ADA\n", existing=("Eve Ash", "Ada Moss")) == [
            ("import.name_exists", {"row": 2, "name": "moss ADA", "existing": "Ada Moss"})
        ]

    def test_alike_in_file_and_event(self):
        assert row_problems("Name\nAda Mos\nEve Ash\nEve Ashe\n", existing=("Ada Moss", "Ada Mosss")) == [
            ("import.name_like_existing", {"row": 2, "name": "Ada Mos", "existing": "Ada Moss"}),
            ("import.name_similar", {"row": 4, "name": "Eve Ashe", "other": "Eve Ash", "other_row": 3}),
        ]

    def test_a_separator_inside_a_name(self):
        assert row_problems("Name,Country,Club\nMoss, Ada,AT,Graz\n")[0] == (
            "import.row_too_wide", {"row": 2, "cells": 4, "columns": 3},
        )  # fmt: skip


class TestEmaNumbers:
    @pytest.mark.parametrize(
        "text",
        [
            "04160092",
            "04 16 00 92",
            "0416-0092",
            "EMA 04160092",
            "EMA: 04160092",
            "'04160092",
            "０４１６００９２",
            "04160092.0",
        ],
    )
    def test_eight_digits(self, text):
        draft = read(f"Name;EMA\nAda;{text}\n").drafts[0]
        assert (draft.ema_number, draft.problems) == ("04160092", ())

    def test_zero_that_was_eaten_comes_back(self, make_xlsx):
        for cell in (4160092, 4160092.0, "4160092"):
            draft = read_players(make_xlsx([["Name", "EMA"], ["Ada", cell]]), "p.xlsx").drafts[0]
            assert (draft.ema_number, draft.is_sound) == ("04160092", True)
            assert draft.problems == (
                Problem(
                    "import.ema_number_zero_restored", {"row": 2, "given": "4160092", "number": "04160092"}, "warning"
                ),
            )

    @pytest.mark.parametrize(
        ("text", "code", "params"),
        [
            ("416009", "import.ema_number_short", {"row": 2, "given": "416009", "digits": 6}),
            ("041600920", "import.ema_number_long", {"row": 2, "given": "041600920", "digits": 9}),
            ("0416OO92", "import.ema_number_not_digits", {"row": 2, "given": "0416OO92"}),
            ("4.16E+06", "import.ema_number_not_digits", {"row": 2, "given": "4.16E+06"}),
        ],
    )
    def test_not_a_number(self, text, code, params):
        assert row_problems(f"Name,EMA\nAda,{text}\n") == [(code, params)]

    @pytest.mark.parametrize("text", ["", "-", "n/a", "None", "keine", "なし", "?", "0", "new"])
    def test_none(self, text):
        draft = read(f"Name,EMA,Club\nAda,{text},x\n").drafts[0]
        assert (draft.ema_number, draft.problems) == ("", ())

    def test_one_number_for_two(self):
        assert row_problems("Name,EMA\nAda Moss,04160092\nEve Ash,4160092\n")[1:] == [
            ("import.ema_number_twice", {"row": 3, "number": "04160092", "other_row": 2, "other": "Ada Moss"})
        ]


class TestConsent:
    @tabled(
        "heading, given, shown",
        [
            ("Consent", "no", False), ("may be published", "yes", True), ("Einwilligung", "Nein", False),
            ("consentement", "OUI", True), ("公開", "×", False), ("公開", "○", True), ("Consent", "", True),
        ],
    )  # fmt: skip
    def test_in_every_language(self, heading, given, shown):
        (draft,) = read(f"Name,{heading},Club\nAkelei,{given},Graz\n").drafts
        assert (draft.shown_by_name, draft.problems) == (shown, ())

    def test_what_is_unclear_is_a_no_and_is_told(self):
        (draft,) = read("Name,Consent\nAkelei,perhaps\n").drafts
        assert (draft.shown_by_name, draft.is_sound) == (False, True)
        assert [problem.code for problem in draft.problems] == ["import.consent_unclear"]


class TestCountriesAndClubs:
    def test_country_becomes_a_code(self):
        drafts = read("Name,Country\nA A,de\nB B,SUI\nC C,Österreich\nD D,NO\nE E,-\nF F,\n").drafts
        assert [draft.country for draft in drafts] == ["DEU", "CHE", "AUT", "NOR", "", ""]
        assert [draft.problems for draft in drafts] == [()] * 6

    def test_unknown_countries_are_a_warning(self):
        preview = read("Name,Country\nAda Moss,Germnay\nEve Ash,Atlantis\n")
        assert [draft.problems for draft in preview.drafts] == [
            (
                Problem(
                    "import.country_misspelt",
                    {"row": 2, "given": "Germnay", "suggestion": "DEU", "country": "Germany"},
                    "warning",
                ),
            ),
            (Problem("import.country_unknown", {"row": 3, "given": "Atlantis"}, "warning"),),
        ]
        assert (preview.is_sound, [draft.country for draft in preview.drafts]) == (True, ["", ""])

    def test_club(self):
        assert read("Name,Club\nAda,  Riichi   Graz \n").drafts[0].club == "Riichi Graz"
        assert row_problems(f"Name,Club\nAda,{'x' * 81}\n") == [
            ("import.club_too_long", {"row": 2, "letters": 81, "limit": 80})
        ]
        assert row_problems("Name,Club\nAda,a\x07b\n") == [("import.club_controls", {"row": 2, "club": "a□b"})]


def test_a_clubs_own_workbook_as_it_comes():
    book = Workbook()
    sheet = book.worksheets[0]
    sheet["A1"] = "Anmeldungen Frühjahrsturnier"
    sheet.merge_cells("A1:F1")
    for row in (
        [],
        ["Nr.", "Name", "Vorname", "Verein", "Land", "EMA-Nr."],
        [1, "Moss", "Ada", "Riichi Graz", "AUT", 1160092],
        [2, "Ash", "Eve", None, "Deutschland", "05160092"],
        [],
        [3, "Elm", "Jo", None, None, None],
    ):
        sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    preview = read_players(file.getvalue(), "Anmeldungen.xlsx")
    assert preview.header_row == 3
    assert [(d.row, d.preferred_name, d.ema_number, d.country, d.club) for d in preview.drafts] == [
        (4, "Ada Moss", "01160092", "AUT", "Riichi Graz"),
        (5, "Eve Ash", "05160092", "DEU", ""),
        (7, "Jo Elm", "", "", ""),
    ]
    assert [problem.code for problem in preview.all_problems] == ["import.ema_number_zero_restored"]
    assert preview.is_sound


@tabled(
    "text, people",
    [
        (  # a list of a mail: a code without brackets where others have it in them
            "1. Ada Moss (PL)\n2. Bo Elm (NL)\n3) Cy Ash FR\n",
            [("Ada Moss", "POL", ""), ("Bo Elm", "NLD", ""), ("Cy Ash", "FRA", "")],
        ),
        (  # a comma in one row: no row is lost, and the town is for the reader to name
            "1. Ada Moss (PL)\n2. Bo Elm (NL),Utrecht,17010201\n3) Cy Ash FR\n",
            [("Ada Moss", "POL", ""), ("Bo Elm", "NLD", "17010201"), ("Cy Ash", "FRA", "")],
        ),
        ("1. Wei LI\n2. Bo Elm (NL)\n3. Jan MA\n", [("Wei LI", "", ""), ("Bo Elm", "NLD", ""), ("Jan MA", "", "")]),
        (  # one column: what follows the country is the club, not a given name
            'Name\n1. Ada Moss (PL)\n"2. Bo Elm (NL), Utrecht"\n',
            [("Ada Moss", "POL", ""), ("Bo Elm", "NLD", "")],
        ),
        ("1. Jan de MA (NL)\n2. Jean Paul LI\n", [("Jan de MA", "NLD", ""), ("Jean Paul LI", "", "")]),
    ],
)
def test_a_list_of_a_mail_is_read_with_its_countries(text, people):
    preview = read(text)
    assert [(draft.preferred_name, draft.country, draft.ema_number) for draft in preview.drafts] == people
    assert preview.is_sound


def test_a_text_behind_the_country_of_a_name_is_the_club():
    text = "1. Ada Moss (PL)\n2. Bo Elm (NL), Utrecht\n3. Cy Ash (FR), paid\n"
    clubs = [(draft.preferred_name, draft.club) for draft in read(text).drafts]
    assert clubs == [("Ada Moss", ""), ("Bo Elm", "Utrecht"), ("Cy Ash", "")]


@tabled(
    "row, names",
    [
        ("Moss;25", ["25"]),
        ("7;Ada", ["7"]),
        ("Moss;", []),
        ("Moss;Ada", []),
        ("佐藤;健太", []),
        ("7;25", ["25 7"]),
    ],
)
def test_a_number_in_place_of_half_a_name_is_a_warning(row, names):
    found = [params["name"] for code, params in row_problems(f"Nachname;Vorname\n{row}\nElm;Bo\n")]
    assert found == names


@tabled("row", ["Summe 25", "3. Summe 25", "Total: 2 players", "合計 2名"])
def test_a_row_of_a_total_is_no_player(row):
    preview = read(f"1. Ada Moss (PL)\n2. Bo Elm (NL)\n{row}\n")
    assert [draft.preferred_name for draft in preview.drafts] == ["Ada Moss", "Bo Elm"]
    assert "import.total_left_out" in [problem.code for problem in preview.all_problems]
