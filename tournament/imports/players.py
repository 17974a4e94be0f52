"""Read a list of players from xlsx or csv: a draft for each row, with what is wrong with it. Stores nothing."""

import dataclasses
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.problems import Problem, ProblemType
from tournament.core.limits import MAX_CLUB, MAX_LEGAL_NAME, MAX_NAME
from tournament.imports.files import Sheet, SheetRow, cell_at, column_letter, is_date, read_day
from tournament.imports.listing import (
    IMPORT_CELL_IS_DATE,
    Chosen,
    Column,
    Grade,
    Header,
    ListKind,
    Preview,
    RowVerdict,
    Vocabulary,
    list_headings,
    list_in,
    too_wide,
)
from tournament.players.actions import NewPlayer
from tournament.text.names import (
    clean_name,
    clean_text,
    find_country,
    find_similar,
    first_index_by_key,
    has_controls,
    is_family_first,
    printable,
    repair_garbled,
    same_name_keys,
    suggest_country,
)

IMPORT_NAME_MISSING = ProblemType("import.name_missing", "Row {row} has no name.")
IMPORT_NAME_TOO_LONG = ProblemType(
    "import.name_too_long", "The name in row {row} has {letters} letters; at most {limit} fit."
)
IMPORT_LEGAL_NAME_TOO_LONG = ProblemType(
    "import.legal_name_too_long", "The legal name in row {row} has {letters} letters; at most {limit} fit."
)
IMPORT_NAME_CONTROLS = ProblemType(
    "import.name_controls", "The name in row {row} has characters that cannot be printed (shown as □): {name}."
)
IMPORT_NAME_GARBLED = ProblemType(
    "import.name_garbled", "“{name}” in row {row} looks wrongly decoded. Is it “{suggestion}”?"
)
IMPORT_NAME_LETTERS_LOST = ProblemType("import.name_letters_lost", "“{name}” in row {row} has lost letters (�).")
IMPORT_NAME_NO_LETTER = ProblemType(
    "import.name_no_letter", "“{name}” in row {row} has no letter. Is this the right column?"
)
IMPORT_EMA_NUMBER_ZERO_RESTORED = ProblemType(
    "import.ema_number_zero_restored",
    "EMA number {given} in row {row} has seven digits; the leading zero was put back: {number}.",
)
IMPORT_EMA_NUMBER_SHORT = ProblemType(
    "import.ema_number_short", "EMA number “{given}” in row {row} has {digits} digits instead of 8."
)
IMPORT_EMA_NUMBER_LONG = ProblemType(
    "import.ema_number_long", "EMA number “{given}” in row {row} has {digits} digits instead of 8."
)
IMPORT_EMA_NUMBER_NOT_DIGITS = ProblemType(
    "import.ema_number_not_digits", "“{given}” in row {row} is not an EMA number: it needs eight digits."
)
IMPORT_COUNTRY_UNKNOWN = ProblemType(
    "import.country_unknown", "The country “{given}” in row {row} is not known and is left empty."
)
IMPORT_COUNTRY_MISSPELT = ProblemType(
    "import.country_misspelt",
    "The country “{given}” in row {row} is not known and is left empty. Did you mean {country} ({suggestion})?",
)
IMPORT_CLUB_TOO_LONG = ProblemType(
    "import.club_too_long", "The club in row {row} has {letters} letters; at most {limit} fit."
)
IMPORT_CLUB_CONTROLS = ProblemType(
    "import.club_controls", "The club in row {row} has characters that cannot be printed (shown as □): {club}."
)
IMPORT_TEAM_TOO_LONG = ProblemType(
    "import.team_too_long", "The team in row {row} has {letters} letters; at most {limit} fit."
)
IMPORT_TEAM_CONTROLS = ProblemType(
    "import.team_controls", "The team in row {row} has characters that cannot be printed (shown as □): {team}."
)
IMPORT_FILMED_UNCLEAR = ProblemType(
    "import.filmed_unclear", "Row {row} says '{given}' of photos and stream; it counts as no. Write yes or no."
)
IMPORT_MINOR_UNCLEAR = ProblemType(
    "import.minor_unclear", "Row {row} says '{given}' of whether the player is a minor; it counts as yes."
)
IMPORT_DAY_UNCLEAR = ProblemType(
    "import.day_unclear", "Row {row}: '{given}' is not a date that the desk understands; write it as 2026-09-12."
)
IMPORT_GUARDIAN_TOO_LONG = ProblemType(
    "import.guardian_too_long", "Row {row}: the guardian's name has {letters} letters; at most {limit} fit."
)
IMPORT_CONSENT_UNCLEAR = ProblemType(
    "import.consent_unclear",
    "Row {row} says '{given}' of whether the name may be shown; it is not shown. Write yes or no to be understood.",
)

EMA_DIGITS = 8

_NOTHING = frozenset(
    {*"-–—/?0", "", "--", "n/a", "na", "none", "no", "nil", "new", "neu", "keine", "aucun", "なし", "無し"}
)
_YES = frozenset(
    {"yes", "y", "true", "1", "x", "ok", "ja", "j", "oui", "o", "vrai", "wahr", "はい", "可", "○", "〇", "✓"}
)
_NO = frozenset({"no", "n", "false", "0", "-", "nein", "non", "faux", "falsch", "いいえ", "不可", "否", "×", "✗"})
# the columns that say yes or no, and what is said of an unclear one
_UNCLEAR: Mapping[str, ProblemType] = {
    "shown_by_name": IMPORT_CONSENT_UNCLEAR,
    "filmed": IMPORT_FILMED_UNCLEAR,
    "minor": IMPORT_MINOR_UNCLEAR,
}


@dataclass(frozen=True, slots=True)
class PlayerDraft(NewPlayer):
    """One row as understood; EMA number (eight digits) and country (ISO alpha-3) are "" if not given or not valid."""

    row: int = 0
    problems: tuple[Problem, ...] = ()

    @property
    def is_sound(self) -> bool:
        return all(problem.severity != "error" for problem in self.problems)


def read_draft(
    row: SheetRow, header: Header, *, is_text: bool, numbered: bool = False, with_codes: bool = False
) -> PlayerDraft:
    """Read one row; `is_text` where a row wider than its header is a mistake (csv), `numbered` as `_is_numbered`.

    `with_codes` where other names of the list have a country behind them: then a code needs no brackets.
    """
    fields = header.fields(row)
    for part in _NAME_PARTS & fields.keys():
        text = fields[part]
        if (behind := _CLUB_BEHIND.fullmatch(text)) and read_name(behind[1])[1]:
            club = "" if behind[2].casefold() in _PAID_WORDS else behind[2]
            text, fields["club"] = behind[1], fields.get("club", "") or club
        name, country = read_name(text, numbered=numbered)
        if with_codes and not country and (behind := _CODE.fullmatch(name)) and _is_country(behind[2]):
            name, country = behind[1], behind[2]
        fields[part] = name
        fields["country"] = fields.get("country", "") or country
    preferred, legal = _read_names(fields)
    ema_number, ema_problems = _read_ema_number(fields.get("ema_number", ""), row.number)
    country, country_problems = _read_country(fields.get("country", ""), row.number)
    said, said_problems = _read_consents(fields, row.number)
    texts: dict[str, Any] = {"preferred_name": preferred, "legal_name": legal}
    texts |= {name: clean_text(fields.get(name, "")) for name in ("club", "team", "guardian")}
    return PlayerDraft(
        **texts,
        ema_number=ema_number,
        country=country,
        **said,
        row=row.number,
        problems=(
            *too_wide(row, header, is_text=is_text),
            *_judge_name(preferred, row.number),
            *_judge_parts(fields, row.number),
            *ema_problems,
            *country_problems,
            *said_problems,
            *_judge_texts(texts, row.number),
        ),
    )


_LONGEST = 200  # letters: what is longer is no name, and the patterns below go over it many times
_NAME_PARTS = frozenset({"name", "first_name", "last_name"})
_RUNNING = re.compile(r"^[#(\[]?[0-9]{1,4}(?:[.):\]]+\s*|\s+[-–]?\s*)(?=[^\W\d_])")
_BRACKETS = re.compile(r"(.*\S)\s*[(\[（]([^()\[\]（）]{1,40})[)\]）]")
_CLUB_BEHIND = re.compile(r"([^()\[\]（）]{1,99}[(\[（][^()\[\]（）]{1,40}[)\]）])\s*[,、，]\s*(\S.*)")
_DASHED = re.compile(r"(.*\S)\s+[-–—]\s+([^-–—]+)")
_CODE = re.compile(r"(\S+ .*[^\W\dA-Z_])\s+([A-Z]{2,3})")  # behind a name that is not in capitals: "Ada Moss FR"
_PAID = re.compile(
    r"(.*\w\S*?)[\s,;:–—-]*\b(?:not paid|unpaid|paid|nicht bezahlt|bezahlt|non payé|payé)"
    r"|(.*\w\S*?)\s*(?:[✓✔✅]|済|支払済)",
    re.IGNORECASE,
)
_PAID_WORDS = frozenset(
    {"paid", "not paid", "unpaid", "bezahlt", "nicht bezahlt", "payé", "non payé", "済", "支払済", *"✓✔✅"}
)
_TOTAL = re.compile(
    r"(?:[0-9]{1,4}[.):]\s*)?(?:total|gesamt|summe|insgesamt|somme|合計|計)\b\W*(?:[0-9]+\W*)?(?:players|spieler|personen|joueurs|名|人)?"
    r"|sum\W*[0-9]+|[0-9]+\W*(?:players|participants|spieler|teilnehmer|personen|joueurs|名|人)(?:\W*(?:total|gesamt|合計))?",
    re.IGNORECASE,
)


def read_name(text: str, *, numbered: bool = False) -> tuple[str, str]:
    """Read a name as lists have it: (name, country), without its running number, a country behind it and "paid".

    >>> read_name("12. MOSS, Ada (SWE) - paid", numbered=True), read_name("Bo Elm [the Fox]")
    (('MOSS, Ada', 'SWE'), ('Bo Elm [the Fox]', ''))
    """
    name, country = clean_text(text), ""
    if len(name) > _LONGEST:
        return name, ""
    if numbered:
        name = _RUNNING.sub("", name, count=1)
    while True:
        if paid := _PAID.fullmatch(name):
            name = paid[1] or paid[2]
        elif (behind := _BRACKETS.fullmatch(name)) and behind[2].strip().casefold() in _PAID_WORDS:
            name = behind[1]
        elif not country and (behind := behind or _DASHED.fullmatch(name)) and _is_country(behind[2]):
            name, country = behind[1], behind[2]
        else:
            return name, country


def _is_country(text: str) -> bool:
    """Say whether a text is a country, in words or as a code in capitals: "Li" and "Bo" are names, too."""
    return find_country(text) is not None and (len(text) > 3 or text.isupper())


def _is_numbered(rows: Sequence[SheetRow], header: Header) -> bool:
    """Say whether each name of a list begins with a number, which then is that of its line."""
    at = min((header.index_of(part) for part in _NAME_PARTS if header.index_of(part) >= 0), default=-1)
    names = [cell for row in rows if (cell := cell_at(row, at)) and not _TOTAL.fullmatch(cell)]
    return bool(names) and all(_RUNNING.match(name) for name in names)


def _has_countries(rows: Sequence[SheetRow], header: Header) -> bool:
    """Say whether at least every second full name of a list has a country behind it, and none ends in capitals."""
    names = [read_name(cell) for row in rows if (cell := cell_at(row, header.index_of("name")))]
    marked = [name for name, country in names if country]
    return "country" not in header.meanings and 2 * len(marked) >= len(names) > 0 and not any(map(_ends_big, marked))


def _ends_big(name: str) -> bool:
    return name.rsplit(maxsplit=1)[-1].isupper()


def _read_names(fields: Mapping[str, str]) -> tuple[str, str]:
    """Settle (preferred name, legal name): the full name is the legal one only where another is preferred."""
    first, last = (clean_text(fields.get(part, "")) for part in ("first_name", "last_name"))
    parts = " ".join((last, first) if is_family_first(first + last) else (first, last)).strip()
    full = clean_name(fields.get("name", "")) or parts
    legal = clean_name(fields.get("legal_name", ""))
    chosen = clean_name(fields.get("preferred_name", ""))
    preferred = chosen or full or legal
    if not legal and chosen and full != chosen:
        legal = full
    return preferred, legal


def _read_ema_number(text: str, row: int) -> tuple[str, list[Problem]]:
    given = unicodedata.normalize("NFKC", clean_text(text)).lstrip("'")
    if given.casefold() in _NOTHING:
        return "", []
    if is_date(given):  # its digits would pass for a number
        return "", [IMPORT_CELL_IS_DATE(row=row, column="ema_number", given=printable(given))]
    digits = re.sub(
        r"[\s.\-/]", "", re.sub(r"\.0+$", "", re.sub(r"^(?:EMA|no|nr)\b[\s.:#-]*", "", given, flags=re.IGNORECASE))
    )
    if not re.fullmatch(r"[0-9]+", digits):
        return "", [IMPORT_EMA_NUMBER_NOT_DIGITS(row=row, given=given)]
    if len(digits) == EMA_DIGITS - 1:
        # the first two digits are the member federation's number, 01 to 17: a spreadsheet eats the zero
        return f"0{digits}", [IMPORT_EMA_NUMBER_ZERO_RESTORED.warning(row=row, given=given, number=f"0{digits}")]
    if len(digits) != EMA_DIGITS:
        return "", [
            (IMPORT_EMA_NUMBER_SHORT if len(digits) < EMA_DIGITS else IMPORT_EMA_NUMBER_LONG)(
                row=row, given=given, digits=len(digits)
            )
        ]
    return digits, []


def _read_country(text: str, row: int) -> tuple[str, list[Problem]]:
    given = clean_text(text)
    if given.casefold() in _NOTHING - {"no", "na"}:  # these two are Norway and Namibia
        return "", []
    known = find_country(given)
    if known:
        return known, []
    proposal = suggest_country(given)
    if proposal:
        return "", [IMPORT_COUNTRY_MISSPELT.warning(row=row, given=given, suggestion=proposal[0], country=proposal[1])]
    return "", [IMPORT_COUNTRY_UNKNOWN.warning(row=row, given=given)]


def _read_consents(fields: Mapping[str, str], row: int) -> tuple[dict[str, Any], list[Problem]]:
    """Read whether a name may be shown, pictures may be taken, the player is a minor, and when a guardian agreed.

    An empty cell says nothing against it; an unclear one is read as what shows less.
    """
    said: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, unclear in _UNCLEAR.items():
        given = clean_text(fields.get(name, ""))
        if given and given.casefold() not in _YES | _NO:
            problems.append(unclear.warning(row=row, given=printable(given)))
            said[name] = name == "minor"
        else:
            said[name] = given.casefold() in _YES if given else name != "minor"
    given = clean_text(fields.get("guardian_consent_on", ""))
    said["guardian_consent_on"] = read_day(given)
    if given and not said["guardian_consent_on"]:
        problems.append(IMPORT_DAY_UNCLEAR.warning(row=row, given=printable(given)))
    return said, problems


def _judge_name(name: str, row: int) -> Iterator[Problem]:
    repaired = repair_garbled(name)
    if not name:
        yield IMPORT_NAME_MISSING(row=row)
    elif repaired:
        yield IMPORT_NAME_GARBLED.warning(row=row, name=printable(name), suggestion=repaired)
    elif "\ufffd" in name:
        yield IMPORT_NAME_LETTERS_LOST.warning(row=row, name=printable(name))
    if name and not any(sign.isalpha() for sign in name):
        yield IMPORT_NAME_NO_LETTER.warning(row=row, name=printable(name))


def _judge_parts(fields: Mapping[str, str], row: int) -> Iterator[Problem]:
    """Yield a warning for a first or last name that is a number; a name without any letter has its own."""
    parts = [fields.get(part, "") for part in ("first_name", "last_name")]
    if any(re.search(r"[^\W\d_]", part) for part in parts):
        yield from (
            IMPORT_NAME_NO_LETTER.warning(row=row, name=printable(part))
            for part in parts
            if part and not any(map(str.isalpha, part))
        )


# how long each text may be, what is said of a longer one, and of one with signs that cannot be printed
_TEXTS: Mapping[str, tuple[int, ProblemType, ProblemType, str]] = {
    "preferred_name": (MAX_NAME, IMPORT_NAME_TOO_LONG, IMPORT_NAME_CONTROLS, "name"),
    "legal_name": (MAX_LEGAL_NAME, IMPORT_LEGAL_NAME_TOO_LONG, IMPORT_NAME_CONTROLS, "name"),
    "club": (MAX_CLUB, IMPORT_CLUB_TOO_LONG, IMPORT_CLUB_CONTROLS, "club"),
    "team": (MAX_CLUB, IMPORT_TEAM_TOO_LONG, IMPORT_TEAM_CONTROLS, "team"),
    "guardian": (MAX_NAME, IMPORT_GUARDIAN_TOO_LONG, IMPORT_NAME_CONTROLS, "name"),
}


def _judge_texts(texts: Mapping[str, str], row: int) -> Iterator[Problem]:
    for key, text in texts.items():
        most, too_long, controls, word = _TEXTS[key]
        if len(text) > most:
            yield too_long(row=row, letters=len(text), limit=most)
        if has_controls(text):
            yield controls(row=row, **{word: printable(text)})


IMPORT_NO_NAME_COLUMN = ProblemType(
    "import.no_name_column", "No column of names was found. The columns are: {columns}. Give one the heading “Name”."
)
IMPORT_TOTAL_LEFT_OUT = ProblemType("import.total_left_out", "Row {row} was left out: it is no player (“{given}”).")
IMPORT_NAME_TWICE = ProblemType(
    "import.name_twice",
    "“{name}” in row {row} is already in row {other_row}. If they are two people, make the names different.",
)
IMPORT_NAME_EXISTS = ProblemType(
    "import.name_exists", "“{name}” in row {row} is already in this event as “{existing}”."
)
IMPORT_NAME_SIMILAR = ProblemType(
    "import.name_similar", "“{name}” in row {row} is very like “{other}” in row {other_row}. Are they two people?"
)
IMPORT_NAME_LIKE_EXISTING = ProblemType(
    "import.name_like_existing",
    "“{name}” in row {row} is very like “{existing}”, who is in this event. Are they two people?",
)
IMPORT_EMA_NUMBER_TWICE = ProblemType(
    "import.ema_number_twice", "EMA number {number} in row {row} already belongs to “{other}” in row {other_row}."
)

MEANINGS = {
    "ema_number": (
        "EMA number|EMA|EMA no|EMA nr|EMA ID|EMA num|EMA Nummer|EMA-Mitgliedsnummer|numéro EMA|n° EMA|"
        "numéro de licence|licence|license|Lizenz|Lizenznummer|EMA番号|EMA会員番号|会員番号|ライセンス番号"
    ),
    "first_name": ("first name|firstname|given name|forename|Vorname|Rufname|prénom|imię|voornaam|名|ファーストネーム"),
    "last_name": (
        "last name|surname|family name|Nachname|Familienname|Zuname|nom de famille|nazwisko|cognome|apellidos|"
        "achternaam|姓|苗字|名字|ラストネーム"
    ),
    "legal_name": (
        "legal name|passport name|official name|name in passport|amtlicher Name|Name im Ausweis|nom légal|"
        "nom officiel|nom légal complet|本名|戸籍名"
    ),
    "preferred_name": (
        "preferred name|display name|nickname|nick|badge name|name on badge|known as|alias|handle|"
        "screen name|Spitzname|Anzeigename|bevorzugter Name|pseudo|pseudonyme|surnom|nom d'usage|表示名|"
        "ニックネーム|登録名|ハンドルネーム"
    ),
    "country": (
        "country|nation|nationality|NOC|country code|Land|Länder|Staat|Nationalität|pays|nationalité|"
        "kraj|paese|país|国|国名|"
        "国籍|出身国"
    ),
    "club": ("club|association|organisation|organization|club name|Verein|Klub|clubs|所属|所属クラブ|クラブ|団体"),
    "shown_by_name": (
        "may be published|publish name|publish|publication|consent|consent to publication|show name|name public|"
        "Name veröffentlichen|Veröffentlichung|Einwilligung|nom public|publication du nom|"
        "consentement|氏名公開|公開|掲載可|公開可否"
    ),
    "filmed": (
        "may be filmed|photo|photos|photo consent|pictures|stream|Foto|Fotos|Bilder|Fotoerlaubnis|photo autorisée|"
        "droit à l'image|写真|撮影可|撮影可否"
    ),
    "minor": (
        "minor|under age|underage|under 18|child|minderjährig|unter 18|Kind|mineur|mineure|moins de 18 ans|未成年|"
        "18歳未満"
    ),
    "guardian": (
        "guardian|parent|legal guardian|parent or guardian|name of guardian|Erziehungsberechtigte|"
        "Sorgeberechtigte|Eltern|Elternteil|représentant légal|tuteur|parent ou tuteur|保護者|保護者名"
    ),
    "guardian_consent_on": (
        "guardian consent|guardian's consent|consent of guardian|parental consent|date of guardian's consent|"
        "Einwilligung der Eltern|Einverständnis der Eltern|accord parental|autorisation parentale|保護者同意|"
        "保護者同意日"
    ),
    "team": "team|teams|team name|Mannschaft|Teamname|équipe|チーム|チーム名",
    "name": (
        "name|noms|full name|player|player name|players|participant|participants|member|competitor|Spieler|"
        "Spielerin|Spielername|Spieler/in|Spieler*in|Teilnehmer|Teilnehmerin|vollständiger Name|"
        "Vor- und Nachname|joueur|joueuse|nom|nom du joueur|nom complet|nom et prénom|nom prénom|"
        "prénom et nom|participant(e)|title|imię i nazwisko|nazwisko i imię|gracz|nome e cognome|cognome e nome|"
        "nombre|nombre y apellidos|naam|speler|名前|氏名|お名前|選手|選手名|プレイヤー|プレーヤー|プレイヤー名|参加者|"
        "参加者名"
    ),
}
NOT_USED = {
    "email": (
        "e-mail|email|mail|e-mail address|email address|E-Mail-Adresse|Mailadresse|courriel|adresse e-mail|"
        "メール|メールアドレス"
    ),
    "rating": (
        "rating|rank|ranking|elo|rate|MERS|position|pos|place|Rang|Rangliste|Wertung|Platz|classement|順位|"
        "レート|段位|レーティング"
    ),
    "count": (
        "no|nr|number|num|id|seed|#|index|Nummer|Startnummer|numéro|番号|games|points|score|Punkte|Spiele|得点|点数"
    ),
    "note": (
        "note|notes|comment|comments|remark|remarks|Bemerkung|Bemerkungen|Anmerkung|remarque|commentaire|備考|メモ"
    ),
    "other": (
        # of the federation's workbook: what is said of the event, and a flag
        "tournament|host country|MERS weight|rules|days|EMA member|table points|"
        "phone|Telefon|téléphone|date|timestamp|Zeitstempel|horodateur|タイムスタンプ|town|city|Ort|Stadt|"
        "ville|paid|bezahlt|payé|sex|gender"
    ),
}
_VOCABULARY = Vocabulary(
    MEANINGS,
    ignored=NOT_USED,
    given_names=frozenset({"alias", "gracz", "nick"}),
    family_names=frozenset({"player", "spieler"}),
)
_NAME_MEANINGS = frozenset({"name", "first_name", "last_name", "legal_name", "preferred_name"})


@dataclass(frozen=True, slots=True)
class PlayerPreview(Preview):
    """A list of players as understood: a draft for each row."""

    drafts: tuple[PlayerDraft, ...] = ()

    @property
    def brings(self) -> tuple[PlayerDraft, ...]:
        return self.drafts


def understand_players(
    sheet: Sheet, filename: str, *, existing: Sequence[str] = (), chosen: Chosen | None = None
) -> PlayerPreview:
    """Understand a sheet as a list of players, its columns guessed or as `chosen`."""
    listing = list_in(sheet, PLAYERS, chosen=chosen)
    header, is_text = listing.header, sheet.kind == "csv"
    drafts, problems = list[PlayerDraft](), [*listing.problems]
    if header:
        numbered = _is_numbered(listing.rows, header)
        with_codes = _has_countries(listing.rows, header)
        for row in listing.rows:
            if any(_TOTAL.fullmatch(clean_text(header.fields(row).get(part, ""))) for part in _NAME_PARTS):
                problems.append(IMPORT_TOTAL_LEFT_OUT.warning(row=row.number, given=printable(" ".join(row.cells))))
            else:
                drafts.append(read_draft(row, header, is_text=is_text, numbered=numbered, with_codes=with_codes))
    added: dict[int, list[Problem]] = {}  # what drafts have in common with other rows and with the event's players
    for index, problem in (
        *_judge_doubles(drafts, existing),
        *_judge_alikes(drafts, existing),
        *_judge_ema_doubles(drafts),
    ):
        added.setdefault(index, []).append(problem)
    compared = tuple(
        dataclasses.replace(draft, problems=draft.problems + tuple(added.get(index, ())))
        for index, draft in enumerate(drafts)
    )
    rows = tuple(RowVerdict(draft.row, draft.problems) for draft in compared)
    return PlayerPreview(
        filename, sheet, listing.columns, tuple(problems), rows, compared, header_row=listing.header_row
    )


def _judge_doubles(drafts: Sequence[PlayerDraft], existing: Sequence[str]) -> Iterator[tuple[int, Problem]]:
    in_event = first_index_by_key(existing)
    in_file = first_index_by_key(draft.preferred_name for draft in drafts)
    for index, draft in enumerate(drafts):
        keys = sorted(same_name_keys(draft.preferred_name))
        known = next((in_event[key] for key in keys if key in in_event), None)
        if known is not None:
            yield index, IMPORT_NAME_EXISTS(row=draft.row, name=draft.preferred_name, existing=existing[known])
        first = min((in_file[key] for key in keys), default=index)
        if first < index:
            yield (
                index,
                IMPORT_NAME_TWICE(row=draft.row, name=draft.preferred_name, other_row=drafts[first].row),
            )


def _judge_alikes(drafts: Sequence[PlayerDraft], existing: Sequence[str]) -> Iterator[tuple[int, Problem]]:
    start = len(existing)
    for index, other in find_similar([*existing, *(draft.preferred_name for draft in drafts)]):
        if index < start:
            continue  # both are in the event already: not this file's matter
        draft = drafts[index - start]
        if other < start:
            yield (
                index - start,
                IMPORT_NAME_LIKE_EXISTING.warning(row=draft.row, name=draft.preferred_name, existing=existing[other]),
            )
        else:
            like = drafts[other - start]
            yield (
                index - start,
                IMPORT_NAME_SIMILAR.warning(
                    row=draft.row, name=draft.preferred_name, other=like.preferred_name, other_row=like.row
                ),
            )


def _judge_ema_doubles(drafts: Sequence[PlayerDraft]) -> Iterator[tuple[int, Problem]]:
    first: dict[str, int] = {}
    for index, draft in enumerate(drafts):
        if draft.ema_number and first.setdefault(draft.ema_number, index) != index:
            other = drafts[first[draft.ema_number]]
            yield (
                index,
                IMPORT_EMA_NUMBER_TWICE(
                    row=draft.row, number=draft.ema_number, other_row=other.row, other=other.preferred_name
                ),
            )


def _settle_last_name(header: Header) -> Header:
    """Take "Name | Vorname", "Nom | Prénom" for last and first name."""
    if {"first_name", "last_name"} <= header.meanings:
        return _without_counts(header)
    if "name" not in header.meanings or "first_name" not in header.meanings:
        return header
    columns = tuple(
        dataclasses.replace(column, meaning="last_name") if column.used and column.meaning == "name" else column
        for column in header.columns
    )
    return dataclasses.replace(header, columns=columns)


def _without_counts(header: Header) -> Header:
    """Leave out columns beside first and last names that say how many there are, or what title somebody has."""
    columns = tuple(
        dataclasses.replace(column, meaning="count", used=False)
        if column.meaning == "name" and column.heading.strip().casefold() in {"players", "title"}
        else column
        for column in header.columns
    )
    return dataclasses.replace(header, columns=columns)


def _bare_columns(rows: Sequence[SheetRow]) -> Header | None:
    """Return the columns of a list without headings, where it is plain what they are; None where it is not.

    That is one column of names, of words in letters, or two of "Family, Given"; and beside them any of countries, EMA
    numbers and running numbers.
    """
    people = [row for row in rows if not _TOTAL.fullmatch(row.cells[0])]
    width = max((len(row.cells) for row in people), default=0)
    cells = [[cell for row in people if (cell := cell_at(row, index))] for index in range(width)]
    kinds = [_kind_of(column) for column in cells]
    if kinds == ["country"]:  # a list of nothing but countries: teams, or people of such names
        kinds = ["name"]
    at = kinds.index("name") if "name" in kinds else 0
    if kinds[at : at + 2] == ["name", "name"] and _is_family_and_given(cells[at], cells[at + 1]):
        kinds[at : at + 2] = ["last_name", "first_name"]
    if kinds.count("name") > 1 and all(map(_RUNNING.match, cells[at])):  # numbered names, and a text such as the club
        kinds = [kind if kind != "name" or index == at else "" for index, kind in enumerate(kinds)]
    elif "" in kinds:
        return None
    names = kinds.count("name") + ("last_name" in kinds)
    if names != 1 or len(set(kinds) - {""}) + kinds.count("") != len(kinds):
        return None
    columns = (
        Column(index, column_letter(index), "", kind, kind in MEANINGS, Grade.WORD) for index, kind in enumerate(kinds)
    )
    return Header(0, tuple(columns))


def _is_family_and_given(first: Sequence[str], second: Sequence[str]) -> bool:
    """Say whether two columns are parts of names: one word each in most rows, and hardly one given name twice."""
    families = [_RUNNING.sub("", cell, count=1) for cell in first]
    given = [read_name(cell)[0] for cell in second]
    single = [sum(" " not in name for name in names) * 3 >= len(names) * 2 for names in (families, given)]
    return all(single) and len(set(given)) * 4 >= len(given) * 3


def _kind_of(cells: Sequence[str]) -> str:
    """Say what a column without a heading holds, "" where it is not plain."""
    plain = [_RUNNING.sub("", cell, count=1) for cell in cells]
    kinds: dict[str, Callable[[str], bool]] = {
        "ema_number": lambda cell: len(cell) == EMA_DIGITS and cell.isdecimal(),
        "other": lambda cell: cell.casefold() in _PAID_WORDS | _YES | _NO,
        "count": lambda cell: bool(re.fullmatch(r"#?[0-9]{1,4}[.)]?", cell)),
        "country": lambda cell: find_country(cell) is not None,
    }
    found = next((kind for kind, fits in kinds.items() if cells and all(map(fits, cells))), "")
    if found == "other" and len(set(map(str.casefold, cells))) == 1 and find_country(cells[0]):
        return "country"  # "NO" in every row is Norway
    # names of players online have digits; "Player 001" is no heading of a list of names, and no name either
    letters = all(any(map(str.isalpha, cell)) for cell in plain) and not all(
        re.search(r"\s[0-9]+$", each) for each in plain
    )
    return found or ("name" if cells and letters else "")


PLAYERS = ListKind(
    _VOCABULARY,
    tuple(MEANINGS),
    settle=_settle_last_name,
    complete=lambda meanings: bool(meanings & _NAME_MEANINGS),
    lacking=lambda rows: IMPORT_NO_NAME_COLUMN(columns=list_headings(rows)),
    bare=_bare_columns,
    titles="players|Spieler|joueurs|選手|参加者",
)
