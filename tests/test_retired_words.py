"""Words that the house gave up are in no source, page, sheet or document again, nor in a text that is translated."""

import re
import subprocess

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
    r"They are (differences|final counts): read them so",  # Read them as differences
)
FOUND = re.compile(rf"\b({'|'.join(RETIRED)})")
WRITTEN = ("*.py", "*.html", "*.js", "*.md", "*.toml", "*.po")
EXCEPT = ("tests/test_retired_words.py",)


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
