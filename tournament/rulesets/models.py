"""Rule sets of the site's own, in versions that never change."""

import functools
import json
import types

from django.db import models

from rules.books import Book, Citation, from_json
from rules.ruleset import Ruleset, rule_fields

YOUNGER = Citation("as before there was this rule", ours=True)


class RuleSet(models.Model):
    """A rule set of the site. Events refer to it by `uid`, commands by `key`; its versions have its title."""

    uid = models.UUIDField(unique=True)
    key = models.SlugField(max_length=60, unique=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["key"]

    def __str__(self) -> str:
        return self.key


class RuleSetVersion(models.Model):
    """One version: every field stated, with where its value comes from.

    - `rules`: as an event's own; their key is that of the book that the version is based on, else of the set.
    - `citations`: by field, as `rules.writing.citation_cell` makes them.
    """

    rule_set = models.ForeignKey(RuleSet, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveSmallIntegerField()
    rules = models.JSONField()
    source = models.TextField()
    citations = models.JSONField()
    note = models.CharField(max_length=300, blank=True)
    client_id = models.UUIDField(unique=True)
    by = models.CharField(max_length=36)
    at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["rule_set", "number"], name="one_version_of_a_number")]

    def __str__(self) -> str:
        return f"{self.rules['title']} {self.number}"

    @property
    def ruleset(self) -> Ruleset:
        """The rules as `scoring` takes them."""
        return self.book.ruleset

    @property
    def book(self) -> Book:
        """The version as a book of rules."""
        return _book(json.dumps([self.rules, self.citations]), self.source, self.rule_set.key)


@functools.lru_cache(maxsize=64)
def _book(kept: str, source: str, key: str) -> Book:
    values, cited = json.loads(kept)
    rules = from_json(values, source=key)
    citations = {field.name: _citation(cited.get(field.name)) for field in rule_fields()}
    extends = rules.key if rules.key != key else ""
    return Book(rules, source, types.MappingProxyType(citations), extends)


def _citation(cell: dict[str, str] | None) -> Citation:
    if not cell:
        return YOUNGER
    ours = cell.get("ours", "")
    return Citation(cell["clause"], ours=False, reading=ours) if "clause" in cell else Citation(ours, ours=True)
