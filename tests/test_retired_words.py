"""Words that the house gave up are in no source, page, sheet or document again, nor in a text that is translated."""

import re
import subprocess

from bootstrap import REPO

RETIRED = (
    r"[Aa]new",  # again, redraw, recalculate
    r"[Ww]hoever",  # the person who, anybody who
    r"decides nothing",  # say what it does
    r"what stands here",  # name it: the scores, the list
    r"asks nothing",
)
FOUND = re.compile(rf"\b({'|'.join(RETIRED)})\b")
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
