"""Answer with a file to take away."""

from django.http import HttpResponse

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def file_answer(content: bytes, kind: str, name: str, *, inline: bool = False) -> HttpResponse:
    """Answer with a file: one to look at `inline`, or one to take away."""
    answer = HttpResponse(content, content_type=kind)
    answer["Content-Disposition"] = f'{"inline" if inline else "attachment"}; filename="{name}"'
    answer["Cache-Control"] = "no-store"
    return answer
