"""Words for the problems that only commands meet; for all others see web.words.problems."""

from scoring.problems import Problem

SENTENCES: dict[str, str] = {
    # a line of JSON Lines
    "line.wrong_id": "'id' must be a text of at most {most} characters or a whole number.",
    # an event as one file
    "archive.not_text": "This is not an event file: it is not UTF-8 text.",
    "archive.not_json": "This is not an event file, or it was cut off: it cannot be read as JSON from line {line}, "
    "column {column} on.",
    "archive.not_event": "This is not an event file of Hanchan Desk.",
    "archive.version": "This event file has format version {given}; this desk reads version {known}.",
    "archive.checksum": "The event file is damaged: its content does not fit its checksum.",
    "archive.form": "The event file cannot be used: {where} must be {wanted}.",
    "archive.contradiction": "The event file contradicts itself: {why}.",
    "archive.exists": "There is an event '{slug}' already; nothing was imported.",
    "archive.not_empty": "The new database is not empty: there are accounts or events in it already.",
    "archive.known_entries": "{count} entries of this file are in the database already, under another event; "
    "nothing was imported.",
    # results of a played event
    "results.slug": "'{slug}' cannot be an event's address: letters, digits, - and _, at most {most}.",
    "results.rules_missing": "There is no event '{slug}' yet: say by which rules it was played.",
    "results.other_rules": "The event is there already with other rules ({fields} differ); leave --rules, --start and "
    "--uma away, or choose another event.",
    "results.other_play": "The event '{slug}' has been played already, and not with these results; nothing "
    "was changed.",
    # a database that this program must not touch
    "database.newer": "The database was used by a newer program: it has had {names}, which this program does not know. "
    "Start that program, or restore a backup from before. Nothing was changed.",
    "database.older": "The database is older than this program: migrations wait ({count}). Start the desk or run "
    "`manage.py migrate`: both make a backup first. Nothing was checked or changed.",
    "database.other_line": "The database is of another line of development: it has had {names}, which is not in the "
    "order of this program's migrations. Export its events with the program that made it, and import them here. "
    "Nothing was changed.",
    # the walk over all chains
    "verify.event_unreadable": "{where}: the event cannot be read.",
    "verify.rules_unusable": "{where}: the event's rules cannot be used: {why}",
    "verify.row_unreadable": "{where} row {row}: a value in it cannot be read.",
    "verify.seq": "{where} row {row}: row {place} should stand here.",
    "verify.previous_hash": "{where} row {row}: it does not follow the row before it.",
    "verify.hash": "{where} row {row}: its content does not fit its hash.",
    "verify.payload": "{where} row {row}: its entry cannot be read.",
    "verify.supersedes": "{where} row {row}: it corrects hand {hand}, which is not there.",
    "verify.refused": "{where} row {row}: today's judge (version {today}; the row's: {judge}) would refuse the hand: "
    "{because}",
    "verify.seats": "{where}: {given} players sit here; the rules want {players}.",
    "verify.substitute_seat": "{where}: player {player} is replaced here, and does not sit here.",
    "verify.sheet_entries": "{where} sheet {row}: it was signed for entries that are not there.",
    "verify.sheet_late": "{where} sheet {row}: entries were written after it was signed.",
    "verify.sheet_differs": "{where} sheet {row}: the signed totals part from the hands: {because}",
    "verify.not_audited": "{where} row {row}: the audit trail does not know of it.",
    "verify.database": "The database's own file is damaged: {why}",
    "verify.unreadable": "{where}: rows of the kind '{what}' cannot be read.",
    "verify.not_sealed": "{where}: {what} is in no chained act.",
    "verify.gone": "{where}: {what} is gone; act {act} of the trail was the last to change it.",
    "verify.changed": "{where}: {what} is not what act {act} of the trail left.",
    "verify.head_short": "{where}: a head was signed after {row} acts, and the trail has {acts}.",
    "verify.head_root": "{where}: the trail is not the one whose head was signed after act {row}.",
    "verify.head_signature": "{where}: the signature of the head after act {row} is not valid.",
    "verify.head_key": "{where}: the head after act {row} is signed with a key that this desk does not know for it "
    "({key}). If it is another desk's of yours, `verify_ledger {where} --trust {key}` notes it for this event.",
    "verify.no_head": "{where}: act {row} released a round, and its signed head is gone.",
    "verify.head_gone": "{where}: the signed head after act {row} is gone.",
    "verify.unsigned": "{where}: act {row} changes what was signed before, and no head is signed after it.",
    "verify.headless": "{where}: a round is released, and no head is signed.",
    "verify.twice": "{where}: {what} is there twice.",
    "verify.astray": "{where}: {what} points at another event or round ({column}).",
    "verify.identifier": "{what} row {row}: the identifier is written as the program does not write it.",
    "verify.schema_gone": "The database lacks what the migrations make: {what}.",
    "verify.schema_added": "The database has this beside what the migrations make: {what}.",
    "verify.schema_changed": "The database's {what} is not as the migrations make it.",
    "verify.outside_unreadable": "{where}, which says how far this desk sealed, cannot be used: {why}."
    " If you know why, `verify_ledger --accept REASON` writes it again.",
    "verify.outside_short": "{where}: this desk noted {acts} acts, and the trail has {now}. If you put an older "
    "database here yourself, `verify_ledger --accept REASON` notes it.",
    "verify.outside_other": "{where}: act {act} of the trail is not the one that this desk noted. If you put another "
    "database here yourself, `verify_ledger --accept REASON` notes it.",
    "verify.outside_gone": "{where}: this desk noted {acts} acts of this event, which is not in the database. If "
    "another desk on it deleted it, or you put an older one here, `verify_ledger --accept REASON` notes it.",
    "record.reason_missing": "Say why the record is to be accepted as it is.",
    "verify.against": "The head that was given is in no record here: rows were rewritten, cut off, or put back to an "
    "older state after it was shown.",
    "verify.against_unreadable": "A head is eight words, or 64 hexadecimal digits, or a file with them.",
    "verify.unsealed": "{where}: nothing is sealed: its seals were taken off, or an upgrade was cut short. If you know "
    "why, `verify_ledger --accept REASON` seals it as it is.",
    "verify.sealed_from": "{where}: sealed from act {act} on ({at}); what was done before is covered as it was then, "
    "not act by act.",
    "verify.row_missing": "{where} row {row}: the audit trail knows of it, and it is not there.",
}


def say(problem: Problem) -> str:
    """Put a problem into one sentence.

    >>> say(Problem("archive.exists", {"slug": "cup"}))
    "There is an event 'cup' already; nothing was imported."
    """
    from web.words import problems  # late: it is a tenth of the start of a command

    sentence = SENTENCES.get(problem.code)
    if sentence is None:
        return problems.say(problem)
    shown = {key: _shown(key, value) for key, value in problem.params.items()}
    if "because" in shown:  # the problem beneath, whose parameters stand beside ours
        shown["because"] = problems.say(Problem(str(shown["because"]), problem.params))
    return sentence.format_map(shown)


def _shown(key: str, value: object) -> object:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return f"{value:,}".replace("-", "−") if key in ("total", "wanted") and isinstance(value, int) else value
