"""Sphinx' settings for the site of these pages; scripts/build_site.py calls it with a copy of this folder."""

import tomllib
from pathlib import Path

_ABOUT = tomllib.loads(Path(__file__).with_name("pyproject.toml").read_text(encoding="utf-8"))["project"]

project = "Hanchan Desk"
release = version = _ABOUT["version"]
html_title = "Hanchan Desk"
extensions = ["myst_parser"]
myst_heading_anchors = 4
myst_links_external_new_tab = False
exclude_patterns = ["conf.py"]
html_theme = "furo"
html_favicon = "favicon.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_last_updated_fmt = None
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "versions.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
templates_path = ["_templates"]
highlight_language = "none"
