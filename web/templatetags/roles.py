"""Roles in templates: `{{ member.role|role_name }}`, `{{ role|role_sentence }}`. It decides nothing."""

from django import template

from web.words.people import role_name, role_sentence

register = template.Library()
register.filter("role_name", role_name)
register.filter("role_sentence", role_sentence)
