"""Leaves out what cannot even be imported where riichienv has no wheel."""

import importlib.util

collect_ignore = [] if importlib.util.find_spec("riichienv") else ["riichienv_oracle.py"]
