#!/bin/sh
# Starts Hanchan Desk without the Internet: the packages are in this folder.
cd "$(dirname "$0")" || exit 1
python=$(command -v python3 || command -v python) || { echo "Hanchan Desk needs Python 3.11 or newer: https://www.python.org/downloads/"; exit 1; }
if [ ! -x desk/bin/hanchan-desk ]; then
  "$python" -m venv desk && desk/bin/python -m pip install --quiet --no-index --find-links wheels hanchan-desk || { rm -rf desk; exit 1; }
fi
exec desk/bin/hanchan-desk "$@"
