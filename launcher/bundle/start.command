#!/bin/sh
# Starts Hanchan Desk without the Internet: the packages are in this folder.
cd "$(dirname "$0")" || exit 1
if [ ! -x desk/bin/hanchan-desk ]; then
  python=
  for name in python3 python3.14 python3.13 python3.12 python3.11 python; do
    if "$name" -c 'import sys; sys.exit("%d.%d" % sys.version_info[:2] not in "@PYTHONS@".split())' 2>/dev/null; then
      python=$name
      break
    fi
  done
  if [ -z "$python" ]; then
    here=$(python3 --version 2>/dev/null || echo "no Python")
    echo "This zip is for Python @OLDEST@ to @NEWEST@ on @SYSTEM@; here is $here."
    echo "Install one of them (https://www.python.org/downloads/), then run this again. Several may stand side by side."
    exit 1
  fi
  echo "The first start sets the desk up in this folder, which takes a minute ..."
  if ! "$python" -m venv desk || ! desk/bin/python -m pip install --quiet --no-index --find-links wheels hanchan-desk; then
    rm -rf desk
    echo "The desk could not be set up; the words above say why. This zip is for @SYSTEM@ and Python @OLDEST@ to @NEWEST@;"
    echo "here is $("$python" --version) on $(uname -sm). On Debian and Ubuntu, Python also needs the package python3-venv."
    exit 1
  fi
fi
exec desk/bin/hanchan-desk "$@"
