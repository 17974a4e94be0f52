"""A list of players from xlsx or csv → what was understood of it, row by row, with what is wrong.

It shows before it acts: nothing is stored here, no column is dropped silently, and a doubtful row keeps its text and
says why.
"""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from scoring.problems import InvalidInput, Problem, error
from tournament.imports.cells import SheetRow
from tournament.imports.columns import Column, Header, Vocabulary, list_headings
from tournament.imports.listing import Chosen, ListKind, list_in
from tournament.imports.player_checks import compare_drafts
from tournament.imports.player_rows import PlayerDraft, read_draft
from tournament.imports.sheet import Sheet

_MEANINGS = {
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
    "team": "team|teams|team name|Mannschaft|Teamname|équipe|チーム|チーム名",
    "name": (
        "name|full name|player|player name|players|participant|participants|member|competitor|Spieler|"
        "Spielerin|Spielername|Spieler/in|Spieler*in|Teilnehmer|Teilnehmerin|vollständiger Name|"
        "Vor- und Nachname|joueur|joueuse|nom|nom du joueur|nom complet|nom et prénom|nom prénom|"
        "prénom et nom|participant(e)|名前|氏名|お名前|選手|選手名|プレイヤー|プレーヤー|プレイヤー名|参加者|"
        "参加者名"
    ),
}
_NOT_USED = {
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
        "phone|Telefon|téléphone|date|timestamp|Zeitstempel|horodateur|タイムスタンプ|town|city|Ort|Stadt|"
        "ville|paid|bezahlt|payé|sex|gender"
    ),
}
_VOCABULARY = Vocabulary(_MEANINGS, ignored=_NOT_USED)
_NAME_MEANINGS = frozenset({"name", "first_name", "last_name", "legal_name", "preferred_name"})


@dataclass(frozen=True, slots=True)
class PlayerPreview:
    """A whole file as understood; `problems` concern the file, each draft carries its own; no sheet: it was refused."""

    filename: str
    sheet: Sheet | None
    header_row: int | None
    columns: tuple[Column, ...]
    drafts: tuple[PlayerDraft, ...]
    problems: tuple[Problem, ...]

    @property
    def all_problems(self) -> tuple[Problem, ...]:
        return self.problems + tuple(problem for draft in self.drafts for problem in draft.problems)

    @property
    def is_sound(self) -> bool:
        """Say whether everything can be taken over: at least one player and no error anywhere."""
        return bool(self.drafts) and all(problem.severity != "error" for problem in self.all_problems)


def read_players(data: bytes, filename: str, *, existing: Sequence[str] = ()) -> PlayerPreview:
    """Read a list of players; `existing` are the names that the event has already.

    Raises nothing: what is wrong is in the preview.
    """
    try:
        sheet = PLAYERS.read(data, filename)
    except InvalidInput as refusal:
        return PlayerPreview(filename, None, None, (), (), refusal.problems)
    return understand_players(sheet, filename, existing=existing)


def understand_players(
    sheet: Sheet, filename: str, *, existing: Sequence[str] = (), chosen: Chosen | None = None
) -> PlayerPreview:
    """Understand a sheet as a list of players, its columns guessed or as `chosen`."""
    listing = list_in(sheet, PLAYERS, chosen=chosen)
    drafts = (
        [read_draft(row, listing.header, is_text=sheet.kind == "csv") for row in listing.rows] if listing.header else []
    )
    return PlayerPreview(
        filename,
        sheet,
        listing.header_row,
        listing.columns,
        compare_drafts(drafts, existing),
        listing.problems,
    )


def _no_name_column(_meanings: frozenset[str], rows: Sequence[SheetRow]) -> Problem:
    return error("import.no_name_column", columns=list_headings(rows))


def _settle_last_name(header: Header) -> Header:
    """Take "Name | Vorname", "Nom | Prénom" for last and first name."""
    if "name" not in header.meanings or "first_name" not in header.meanings or "last_name" in header.meanings:
        return header
    columns = tuple(
        dataclasses.replace(column, meaning="last_name") if column.used and column.meaning == "name" else column
        for column in header.columns
    )
    return dataclasses.replace(header, columns=columns)


PLAYERS = ListKind(
    _VOCABULARY,
    tuple(_MEANINGS),
    settle=_settle_last_name,
    complete=lambda meanings: bool(meanings & _NAME_MEANINGS),
    lacking=_no_name_column,
    titles="players|Spieler|joueurs|選手|参加者",
)
