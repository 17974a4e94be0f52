"""The organiser's lists: a `ListTable` of django-tables2 declares columns once for the screen, csv and xlsx.

A list is sorted by `?sort=`, paged by `?page=` and given as a file by `?file=csv` or `?file=xlsx`: the same rows, all
of them, in the same order. A file is for those who may export; templates/pages/list.html draws the rest.
"""

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.functional import Promise, lazy
from django.utils.html import format_html
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _
from django_tables2 import Column, RequestConfig, Table
from django_tables2.data import TableData, TableListData
from django_tables2.utils import OrderBy

from tournament.core.rights import Right
from tournament.core.time_zones import distance_words
from tournament.pages.csv_files import csv_file
from tournament.pages.files import book_answer, file_answer
from tournament.text.names import alphabetical
from tournament.text.numbers import points, short_moment

if TYPE_CHECKING:
    from tournament.pages.spreadsheets import Sheet

CSV = "text/csv; charset=utf-8"
FORMATS = ("csv", "xlsx")
AT_ONCE = 100

Value = str | int | dt.datetime | None


class ListColumn(Column):
    """A column: its heading, what a record has in it, and how it is shown.

    `kind` is one of pages/spreadsheets.py. `sort` is a record's key where that is not its value, False where the
    column cannot sort; an empty key comes last in either direction. `cell` is a template for the screen, which finds
    `record` and `value`. A column `in_file` alone (`on_screen=False`) is in no page, one of acts is in no file.
    """

    def __init__(
        self,
        heading: str | Promise = "",
        *,
        value: Callable[[Any], Value] = lambda _record: None,
        kind: str = "text",
        sort: Callable[[Any], Any] | bool = True,
        cell: str = "",
        css: str = "",
        on_screen: bool = True,
        in_file: bool = True,
    ) -> None:
        super().__init__(verbose_name=heading, orderable=bool(sort), visible=on_screen)
        self.value_of, self.kind, self.cell, self.in_file = value, kind, cell, in_file
        self.sort_key = sort if callable(sort) else value
        self.css = f"is-num {css}".strip() if kind in ("count", "points", "result") else css

    def show(self, record: Any) -> Value:
        """Show a record's value as pages do; what a template shows stays as it is."""
        value = self.value_of(record)
        if self.cell:
            return value
        if value is None or isinstance(value, dt.datetime):
            return format_html('<time datetime="{}">{}</time>', value.isoformat(), short_moment(value)) if value else ""
        return points(value) if self.kind == "points" and isinstance(value, int) else value


def name_column(cell: str) -> ListColumn:
    """Return the column of a record's `name`, sorted as people look for names."""
    return ListColumn(_("Name"), value=lambda row: row.name, sort=lambda row: alphabetical(row.name), cell=cell)


def acts_column(cell: str) -> ListColumn:
    """Return the column of what can be done with a record, without a heading that is seen."""
    return ListColumn(sort=False, cell=cell, css="row-act", in_file=False)


def declared(column: Any, value: Callable[[Any], Value], **shown: Any) -> ListColumn:
    """Return a column as tournament/sheets declares it, by its heading and kind, with the value of a record."""
    return ListColumn(lazy(column.heading, str)(), value=value, kind=column.kind, **shown)


class Records(TableListData):
    """Records in memory, sorted by the keys of their columns."""

    data: list[Any]

    def order_by(self, aliases: Sequence[str]) -> None:
        """Sort by one column or several; what has no key comes last."""
        for alias in map(OrderBy, reversed(aliases)):
            key = self.table.columns[alias.bare].column.sort_key
            known = [record for record in self.data if key(record) not in (None, "")]
            unknown = [record for record in self.data if key(record) in (None, "")]
            self.data = sorted(known, key=key, reverse=alias.is_descending) + unknown


class ListTable(Table):
    """A list of the desk; `title` names it on its file and for screen readers."""

    title: ClassVar[str | Promise] = ""

    class Meta:
        template_name = "pages/list.html"
        per_page = AT_ONCE
        default = ""

    def __init__(self, data: Any, request: HttpRequest, **options: Any) -> None:
        super().__init__(data if isinstance(data, TableData) else Records(list(data)), **options)
        RequestConfig(request, paginate={"per_page": self._meta.per_page}).configure(self)

    @property
    def per_page_field(self) -> str:
        """Name no field of an address: how long a page is, the desk says."""
        return "\0"

    @per_page_field.setter
    def per_page_field(self, value: object) -> None:
        del value

    def css_of(self, _record: Any) -> str:
        """Return the class of a record's row."""
        return ""

    def lines(self) -> Iterator[tuple[Any, str, list[tuple[Any, Any]]]]:
        """Yield each record of the page with the class of its row and its cells, each beside its column."""
        for row in self.paginated_rows:
            cells = [(each, each.column.show(row.record)) for each in self.columns]
            yield row.record, self.css_of(row.record), cells

    @property
    def may_export(self) -> bool:
        """Whether the reader may have the list as a file."""
        rights = getattr(self.request, "rights", None)
        return rights.may(Right.EXPORT) if rights else self.request.user.is_superuser

    def file(self, name: str) -> HttpResponse | None:
        """Return the file that the address asks for, None for a page; raises PermissionDenied.

        `name` is that of the event.
        """
        asked = self.request.GET.get("file", "")
        if asked not in FORMATS or self.request.method == "POST":
            return None
        if not self.may_export:
            raise PermissionDenied
        columns = [each.column for each in self.columns.iterall() if each.column.in_file]
        rows = [[column.value_of(record) for column in columns] for record in self.data]
        stem = "-".join(part for part in (slugify(name), slugify(str(self.title))) if part) or "list"
        if asked == "xlsx":
            return book_answer([_sheet(name, str(self.title), columns, rows)], timezone.now(), f"{stem}.xlsx")
        return file_answer(_csv(columns, rows), CSV, f"{stem}.csv")


def _csv(columns: Sequence[ListColumn], rows: Sequence[Sequence[Value]]) -> bytes:
    def plain(each: Value) -> str | int | None:
        return f"{_local(each):%Y-%m-%d %H:%M}" if isinstance(each, dt.datetime) else each

    return csv_file([str(column.header) for column in columns], ([plain(each) for each in row] for row in rows))


def _sheet(name: str, title: str, columns: Sequence[ListColumn], rows: Sequence[Sequence[Value]]) -> "Sheet":
    from tournament.pages.spreadsheets import Sheet, SheetColumn  # its package is a tenth of the desk's start

    now = timezone.localtime()
    headings = [SheetColumn(str(column.header), column.kind) for column in columns]  # type: ignore[arg-type]
    plain = [[_local(each) if isinstance(each, dt.datetime) else each for each in row] for row in rows]
    made = f"{short_moment(now)} {distance_words(now.utcoffset() or dt.timedelta())}"
    return Sheet(title, (name, f"{title} · {made}"), headings, plain)


def _local(moment: dt.datetime) -> dt.datetime:
    """Return a moment in the desk's time zone; worksheets know no time zones."""
    return timezone.localtime(moment).replace(tzinfo=None, microsecond=0)
