"""Words that the house gave up are in no source, page, sheet, document or translation again."""

import re
import subprocess

from babel.messages.pofile import read_po

from bootstrap import REPO

RETIRED = (
    r"[Aa]new\b",  # again, redraw, recalculate
    r"[Ww]hoever",  # the person who, anybody who
    r"decides nothing",  # say what it does
    r"what stands here",  # name it: the scores, the list
    r"asks nothing",
    r"wins off",  # ron from
    # labels of screens that were not plain
    r"Come in\b(?! )",  # Sign in
    r"Give it\"",  # Add penalty
    r"Mend (it|them) in the file",  # Fix it in the file
    r"Name to be called by",  # Display name
    r"as often as can be",  # as evenly as possible
    r"Throw the draw away",  # Discard draw
    r"Search a draw",  # Find a draw
    r"Who may come in",  # Access
    r"Why it stands still",  # Reason for the pause
    r"[Ii]t needs you",  # needs your attention
    r"What comes of it",  # Effect on scores
    r"Cancel, change nothing",  # Cancel
    r"How far is it",  # Check progress
    r"Enter alone opens",  # Press Enter for
    r"They are (differences|final (counts|scores)): read them so",  # Read them as differences
    r"Who finds the event",  # Visibility
    r"[Pp]ut into the archive",  # Archive the event
    r"Fouls and what they cost",  # Fouls and penalties
    r"\"Penalty list\"",  # Fouls and penalties
    r"\"Projector\"",  # Hall screen
    r"\"a later change\"",  # correction
    r"von irgendwem",  # von beliebigem Spieler
    r"sur quiconque",  # sur n’importe qui
    r"Hand the event on",  # Transfer the event
    r"gives way\.",  # This replaces
    r"\"Take it\"",  # Apply
    r"Look again",  # Check again
    r"\"Look\"",  # Find, View
    r"\"Put in\"",  # Insert hand
    r"Make void",  # Void hand
    r"made the event",  # created the event
    r"Names alone",  # Names only
    r"tie broken by",  # listed by
)
# what people read in each language: regular expression, and the text of the catalogue that may have it
READ = {
    "en": (
        (r"\bquads?\b", ()),  # kan
        (r"\bcounters?\b", ()),  # honba
        (r"\bdeposits?\b", ()),  # riichi stick
        (r"\bloans?\b", ()),  # borrowed
        (r"\bwins? off\b|\bRon off\b", ()),  # ron from
        (r"[Ff]inal counts?\b", ()),  # final score
        (r"\bHand line\b|\bhand line\b", ()),  # tile notation
        (r"\bLongest deal\b", ()),  # longest dealer streak
        (r"\ball the same\b", ()),  # anyway
        (r"\bby itself\b|\bby themselves\b", ()),  # automatically
        (r"\bany more\b", ()),  # no longer
        (r"\bin all\b(?! (files|languages|rounds|later))", ()),  # total
        (r"\b(put|puts) right\b", ()),  # correct
        (r"\bstands? (here|there|beside|below|twice)\b", ()),  # appears, is shown
        (r"\b(taken?|takes?|took) away\b", ()),  # delete, remove
        (r"\b(throw|thrown|threw)\b", ()),  # discard
        (r"\b[Mm]end(ed|s)?\b", ()),  # edit, correct
        (r"\binternet\b", ()),  # Internet
        # hall screen; the wall of a room and that of tiles stay
        (
            r"\b(on|for|of) the wall\b",
            (
                "For the wall.",
                "ot for the wall",
                "they lie on the wall",
                "tile of the wall",
                "end of the wall",
                "copies for the wall",
                "* for the wall",
                "Hang the list on the wall",
            ),
        ),
        (r"\bwho has the link\b", ()),  # anyone with the link
        (r"\bwhatever\b", ()),  # any, regardless of
        (r"\bone's own\b|\bthe own\b|\ban own\b", ()),  # your, their, the winner's
        (r"\b(is|are) (there|here) twice\b", ()),  # appears twice
        (r"\bnobody's\b", ()),  # no player's
    ),
    "ja": (
        (r"^値$", ()),  # 設定、打点
        (r"不可(?!）)", ()),  # 条件なし、認めない
        (r"ほかの人の条件|私の条件", ()),  # 他家の条件、自分のオーラス条件
        (r"これは私です", ()),  # 自分に設定
        (r"代走", ()),  # 代打ち
        (r"ラウンド", ()),  # 回戦
        (r"聴牌", ()),  # テンパイ
        (r"罰則", ()),  # ペナルティ
        (r"スマホ|携帯(?!電話|用カード)", ()),  # スマートフォン; a book's own word, and cards for a pocket
        (r"当方", ()),  # 独自の解釈
        (r"誰からでも", ("暗槓は誰からでもありません",)),  # 出和了り
    ),
    "de": (
        (r"\bEins[aä]tze?n?\b", ()),  # Riichi-Stab
        (r"Strafzettel|Rufzettel", ()),  # Strafprotokoll, Schiedsrichterzettel
        (r"\bRemis\b", ()),  # Ryūkyoku, Gleichstand
        (r"\b(Nicht-)?Gebers?\b", ()),  # Dealer
        (r"Abwerfende", ()),  # Abwerfer
        (r"\bVerlierer", ()),  # Abwerfer
        (r"\bAbgabe im Schnitt|^Abgegebene Punkte$", ()),  # Deal-in
        (r"\bKredite?\b", ()),  # Geliehen
        (r"\bFouls?\b|Vergehen", ()),  # Regelverstoß
        (r"\bPults?\b", ()),  # Server
        (r"Endplatz\b", ()),  # Endplatzierung
        (r"^(?!Telefon$).*\bTelefone?[ns]?\b", ()),  # Handy; the telephone number of a contact
        (r"\b[Dd]iese[mnrs]? Desks?\b|\b(d[ae]s|eines) Desks?\b|\bHallen?\b", ()),  # Server, Saal
        (r"Was die Wand|\b(der|die) Wand (zeigt|nennt|hat)", ()),  # Saalanzeige
        (r"von selbst", ()),  # automatisch
        (r"jeder Gewinn\b", ()),  # jede Gewinnhand
        (r"\bKlubs?\b|\bVeranstaltung(en)?\b|\bWartung\b", ()),  # Verein, Turnier, wartende Hand
        (r"\bEMAs\b|\b[Aa]n EMA\b", ()),  # der EMA, an die EMA
        (r"Plätze (sind )?(noch nicht )?(ausgelost|auslosen|veröffentlicht)|vertauschten Plätzen", ()),  # Sitze
        (r": bitte\b", ()),  # a sentence, and a capital
    ),
    "fr": (
        (r"'", ()),  # ’
        (r"\bmises?\b(?! à part)", ()),  # bâton de riichi
        (r"\bRayer\b|\brayée?s?\b", ()),  # annuler
        (r"\b[Jj]etez\b|\b[Jj]eter\b|\bjeté\b", ()),  # abandonner
        (r"[Mm]ains? nulles?", ()),  # ryūkyoku
        (r"\bmanches?\b", ()),  # ronde
        (r"\bPlus longue donne\b", ()),  # plus longue série de donneur
        (r" [;?!:](?= |$)", ()),  # a no-break space before it
        (r"[Ff]euilles? de all-last", ()),  # feuille d’all-last
        (r"n’importe quel gain", ()),  # toute victoire
        (r"Qui est assis où", ()),  # placement aux tables
        (r"\brégie\b|\bdesk\b", ()),  # bureau, serveur
        (r"\b[Ll]e mur (ne )?(montre|nomme|fait)|\bau mur:", ()),  # écran de salle
        (r"de (lui|elle)-même", ()),  # automatiquement
        (r"\bévénements?\b|\bévènements?\b", ()),  # tournoi
        (r"\b[Cc]e bureau\b|bureau (répond|tourne|calcule|a (été arrêté|eu une erreur))", ()),  # serveur
        (r"\u00a0[;?!]", ()),  # a narrow no-break space before it
        (r"\b[Ll]ettre (suivante|envoyée)|\be-mail\b", ()),  # courriel
    ),
}
FOUND = re.compile(rf"\b({'|'.join(RETIRED)})")
PLACE = re.compile(r"%\(\w+\)[sd]|\{\w+\}")
WRITTEN = ("*.py", "*.html", "*.js", "*.md", "*.toml", "*.po")
PAGES = ("README.md", "docs/index.md", "docs/players/index.md", "docs/organiser", "docs/operate")  # for people
EXCEPT = ("tests/test_retired_words.py", "docs/developer/english.md")


def test_no_retired_word_is_written_again() -> None:
    files = subprocess.check_output(["git", "ls-files", *WRITTEN], cwd=REPO, text=True).split()
    named = [
        f"{name}:{number}: {found[0]}"
        for name in files
        if name not in EXCEPT and "/vendor/" not in name and "/migrations/" not in name and (REPO / name).exists()
        for number, line in enumerate((REPO / name).read_text(encoding="utf-8").splitlines(), start=1)
        if (found := FOUND.search(line))
    ]
    assert named == [], "\n".join(named)


def test_nobody_reads_a_retired_word() -> None:
    named = [
        f"{code}: {found[0]}: {text}"
        for code, text in texts()
        for pattern, kept in READ[code]
        if (found := re.search(pattern, text)) and not any(each in text for each in kept)
    ]
    assert named == [], "\n".join(named)


def texts() -> list[tuple[str, str]]:
    """Return what people read: language and text without its places, every form of a plural."""
    pages = subprocess.check_output(["git", "ls-files", *PAGES], cwd=REPO, text=True).split()
    said = [("en", line) for page in pages for line in (REPO / page).read_text(encoding="utf-8").splitlines()]
    for code in ("ja", "de", "fr"):
        with (REPO / "locale" / code / "LC_MESSAGES" / "django.po").open("rb") as file:
            for message in read_po(file, locale=code):
                if message.id:
                    said += [(code, text) for text in _forms(message.string or "")]
                    said += [("en", text) for text in _forms(message.id) if code == "ja"]
    return said


def _forms(text: str | list[str] | tuple[str, ...]) -> tuple[str, ...]:
    return tuple(PLACE.sub("", form) for form in ((text,) if isinstance(text, str) else text))
