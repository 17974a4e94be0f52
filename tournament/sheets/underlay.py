"""Print the first page of a document under all the others, and then drop it.

A booklet of forms is the same form with a few words in it: set once as the first page and referred to by the rest, it
makes the booklet several times quicker to make and smaller. Never looks at what a page says.
"""

from typing import Any

import pydyf  # type: ignore[import-untyped] # WeasyPrint's own PDF writer

FORM = "form"


def underlay_first_page(document: Any, pdf: Any) -> None:
    """Turn the first page into a form drawn under each following page; a `finisher` for WeasyPrint's write_pdf.

    `document` is WeasyPrint's and `pdf` is pydyf's. The document must have at least two pages of one size.
    """
    first, *rest = [pdf.objects[number] for number in pdf.pages["Kids"][::3]]
    if not rest:
        raise ValueError(f"a form needs at least one page to lie under, this document has {len(document.pages)}")
    form = _object_at(pdf, first["Contents"])
    form.extra |= {"Type": "/XObject", "Subtype": "/Form", "BBox": first["MediaBox"], "Resources": first["Resources"]}
    resources = _resources_with_form(pdf, _object_at(pdf, first["Resources"]), form)
    draw = _drawing_of_form(pdf)
    for page in rest:
        page["Resources"] = resources.reference
        page["Contents"] = b"[" + draw.reference + b" " + page["Contents"] + b"]"
    del pdf.pages["Kids"][:3]
    pdf.pages["Count"] -= 1


def _object_at(pdf: Any, reference: bytes) -> Any:
    return pdf.objects[int(reference.split()[0])]


def _resources_with_form(pdf: Any, shared: Any, form: Any) -> Any:
    # A second dictionary, because the form's own resources must not lead back to the form.
    objects = pydyf.Dictionary({**shared["XObject"], FORM: form.reference})
    resources = pydyf.Dictionary({**shared, "XObject": objects})
    pdf.add_object(resources)
    return resources


def _drawing_of_form(pdf: Any) -> Any:
    stream = pydyf.Stream([b"q", f"/{FORM} Do".encode(), b"Q"])
    pdf.add_object(stream)
    return stream
