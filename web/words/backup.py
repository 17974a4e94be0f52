"""Words for backups, and for a database that takes nothing more.

It decides nothing.
"""

from web.words.languages import Words

SENTENCES: Words = {
    # making them
    "backup.folder_missing": (
        "The folder {folder} is not there. If it is a USB stick: is it plugged in? The other backups go on."
    ),
    "backup.same_disk": (
        "The folder {folder} is on the same disk as the desk's data: when that disk breaks both are gone. "
        "Is the USB stick plugged in?"
    ),
    "backup.no_space": ("There is no space left for a backup in {folder}. Make room; the desk tries again by itself."),
    "backup.failed": ("{folder} cannot be used: {why}."),
    "backup.event_file": ("The file of an event after its round cannot be written to {folder}: {why}."),
    "backup.no_program": ("{program} is not on this machine; it comes with PostgreSQL's client programs."),
    "backup.program_failed": ("{program} has failed: {why}"),
    "backup.database_damaged": ("The database itself is damaged: SQLite finds faults in it. Keep the older backups."),
    # putting one back
    "backup.unreadable": ("{file} cannot be read: {why}."),
    "backup.no_backup": ("{file} is not a backup of Hanchan Desk."),
    "backup.cut_short": ("{file} is cut short: its end is missing. Nothing was changed; take another backup."),
    "backup.damaged": ("{file} is damaged: it is not as it was written. Nothing was changed; take another backup."),
    "backup.newer": (
        "{file} was made by a newer Hanchan Desk than this one. Nothing was changed; update this one first."
    ),
    "backup.key_needed": ("{file} is encrypted: give its key with --key or HANCHAN_BACKUP_KEY."),
    "backup.wrong_key": ("{file} does not open with this key. Nothing was changed."),
    "backup.other_database": (
        "This is a backup of {given}, and this desk uses {here}. Nothing was changed; "
        "events move between them with export_event and import_event."
    ),
    "backup.desk_running": (
        "The desk is running on this database. Stop it first (Ctrl-C in its window), then try again. "
        "Nothing was changed."
    ),
    "backup.not_sound": ("The backup does not prove itself: {why} Nothing was changed."),
    "backup.none_sound": ("There is no sound backup in {folder}."),
    "backup.into_postgresql": ("--into is for SQLite; with PostgreSQL the database is the one of DATABASE_URL."),
    "clock.set_back": (
        "The clock of this computer went back: the last entry is of {latest}, which is still to come. Nothing is "
        "lost and the order of the hands holds, but the round's clock shows too much time. Set the computer's clock "
        "right."
    ),
    # the database takes nothing
    "storage.full": (
        "The disk of the desk is full: this was not written. Make room on it, then send it again; nothing else is lost."
    ),
    "storage.away": ("The database does not answer: this was not written. Wait a moment, then send it again."),
}
