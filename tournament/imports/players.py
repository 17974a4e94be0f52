"""Read a list of players from xlsx or csv: a draft for each row, with what is wrong with it. Nothing is stored."""

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from scoring.problems import Problem, ProblemType
from tournament.imports.files_cells import SheetRow
from tournament.imports.files_sheet import Sheet
from tournament.imports.listing import Chosen, ListKind, Preview, RowVerdict, list_in
from tournament.imports.listing_columns import Header, Vocabulary, find_header, list_headings
from tournament.imports.players_player_rows import EMA_DIGITS, PlayerDraft, read_draft
from tournament.text.names_1 import find_similar, first_index_by_key, same_name_keys
from tournament.text.names_countries import find_country

IMPORT_NO_NAME_COLUMN = ProblemType(
    "import.no_name_column", "No column of names was found. The columns are: {columns}. Give one the heading “Name”."
)
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
    "first_name": "first name|firstname|given name|forename|Vorname|Rufname|prénom|名|ファーストネーム",
    "last_name": (
        "last name|surname|family name|Nachname|Familienname|Zuname|nom de famille|姓|苗字|名字|ラストネーム"
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
        "country|nation|nationality|NOC|country code|Land|Länder|Staat|Nationalität|pays|nationalité|国|国名|"
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
        "name|full name|player|player name|players|participant|participants|member|competitor|Spieler|"
        "Spielerin|Spielername|Spieler/in|Spieler*in|Teilnehmer|Teilnehmerin|vollständiger Name|"
        "Vor- und Nachname|joueur|joueuse|nom|nom du joueur|nom complet|nom et prénom|nom prénom|"
        "prénom et nom|participant(e)|名前|氏名|お名前|選手|選手名|プレイヤー|プレーヤー|プレイヤー名|参加者|"
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
_VOCABULARY = Vocabulary(MEANINGS, ignored=NOT_USED)
_NAME_MEANINGS = frozenset({"name", "first_name", "last_name", "legal_name", "preferred_name"})


@dataclass(frozen=True, slots=True)
class Mended:
    """What somebody changed in a preview, by row: rows left out, and other names."""

    left_out: frozenset[int] = frozenset()
    names: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlayerPreview(Preview):
    """A list of players as understood: a draft for each row; those left out are judged by nobody."""

    drafts: tuple[PlayerDraft, ...] = ()
    header_row: int | None = None
    left_out: tuple[PlayerDraft, ...] = ()
    names: Mapping[int, str] = field(default_factory=dict)  # typed in the preview, by row

    @property
    def is_sound(self) -> bool:
        """Say whether everything can be taken over: at least one player and no error anywhere."""
        return bool(self.drafts) and not self.has_errors


def understand_players(
    sheet: Sheet,
    filename: str,
    *,
    existing: Sequence[str] = (),
    chosen: Chosen | None = None,
    mended: Mended | None = None,
) -> PlayerPreview:
    """Understand a sheet as a list of players, its columns guessed or as `chosen`, its rows as `mended`."""
    listing, mended = list_in(sheet, PLAYERS, chosen=chosen), mended or Mended()
    header, is_text = listing.header, sheet.kind == "csv"
    read = []
    if header is not None:
        names = mended.names
        read = [read_draft(row, header, is_text=is_text, name=names.get(row.number, "")) for row in listing.rows]
    drafts = [draft for draft in read if draft.row not in mended.left_out]
    gone = tuple(draft for draft in read if draft.row in mended.left_out)
    compared = _compare_drafts(drafts, existing)
    rows = tuple(RowVerdict(str(draft.row), draft.preferred_name, draft.problems) for draft in compared)
    return PlayerPreview(
        filename,
        sheet,
        listing.columns,
        listing.problems,
        rows,
        compared,
        header_row=listing.header_row,
        left_out=gone,
        names=mended.names,
    )


def _compare_drafts(drafts: Sequence[PlayerDraft], existing: Sequence[str]) -> tuple[PlayerDraft, ...]:
    """Add to each draft what it has in common with other rows and with the event's players."""
    added: dict[int, list[Problem]] = {}
    for index, problem in (
        *_judge_doubles(drafts, existing),
        *_judge_alikes(drafts, existing),
        *_judge_ema_doubles(drafts),
    ):
        added.setdefault(index, []).append(problem)
    return tuple(
        dataclasses.replace(draft, problems=draft.problems + tuple(added.get(index, ())))
        for index, draft in enumerate(drafts)
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
    """Leave out a column "Players" beside first and last names: in the federation's workbook it says how many."""
    columns = tuple(
        dataclasses.replace(column, meaning="count", used=False)
        if column.meaning == "name" and column.heading.strip().casefold() == "players"
        else column
        for column in header.columns
    )
    return dataclasses.replace(header, columns=columns)


def with_headings(pasted: str) -> str:
    r"""Give pasted cells without headings the headings of their columns, where it is plain what these are.

    That is a column of names, of words in letters, and beside it any of countries, EMA numbers and running numbers.

    >>> with_headings("1\tAda Moss\tSWE\n2\tBo Elm\tNorway").partition("\n")[0]
    'No.\tName\tCountry'
    """
    rows = [line.split("\t") for line in pasted.splitlines() if line.strip()]
    width = max(map(len, rows), default=0)
    columns = [
        [row[index].strip() for row in rows if index < len(row) and row[index].strip()] for index in range(width)
    ]
    kinds = [_kind_of(column) for column in columns]
    plain = kinds.count("Name") == 1 and len(set(kinds)) == width and "" not in kinds
    written = find_header([SheetRow(1, tuple(rows[0]))], _VOCABULARY, complete=bool) if rows else None
    return pasted if written or not plain else "\t".join(kinds) + "\n" + pasted.lstrip("\r\n")


def _kind_of(cells: Sequence[str]) -> str:
    kinds: dict[str, Callable[[str], bool]] = {
        "EMA number": lambda cell: len(cell) == EMA_DIGITS and cell.isdecimal(),
        "No.": str.isdecimal,
        "Country": lambda cell: find_country(cell) is not None,
        "Name": lambda cell: any(map(str.isalpha, cell)) and not any(map(str.isdigit, cell)),
    }
    return next((kind for kind, fits in kinds.items() if cells and all(map(fits, cells))), "")


PLAYERS = ListKind(
    _VOCABULARY,
    tuple(MEANINGS),
    settle=_settle_last_name,
    complete=lambda meanings: bool(meanings & _NAME_MEANINGS),
    lacking=lambda rows: IMPORT_NO_NAME_COLUMN(columns=list_headings(rows)),
    titles="players|Spieler|joueurs|選手|参加者",
)
