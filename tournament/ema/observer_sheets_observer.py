"""The observer's report for EMA on paper: a heading and a text for each field."""

from collections.abc import Sequence

from tournament.pdf.render import Leaves


def observer_leaves(title: str, fields: Sequence[tuple[str, str]]) -> Leaves:
    """Give the report; a field's text may have several lines."""
    return Leaves("observer", ({"title": title, "fields": [(name, text.splitlines()) for name, text in fields]},))
