"""Change the sources in one place at a time and see whether a test fails: `mutants.py FOLDER…`, `mutants.py --rights`.

A seed chooses so many changes of each folder; each is made in a copy of the checkout, and the tests run that import the
module, directly or through one other, or speak of it; then, where none fails, all of the feature. Prints what survived:
to be tested, or judged to change nothing.
"""

import argparse
import ast
import copy
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent
ROOMS = ("rules", "scoring", "tournament", "web")
SWAPS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
OTHER: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr, ast.FloorDiv: ast.Mult,
}  # fmt: skip
# without these a module does not load, or only becomes slower
KEPT = re.compile(r"property|staticmethod|classmethod|cache|dataclass|contextmanager|overload|wraps|register|total_ord")
OUT_OF_REACH = re.compile(r"\blog(ger|ging)?\.|sys\.std|print\(")  # what a log says is nobody's promise
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", re.MULTILINE)
COMMON = {
    *("page", "test", "row", "rows", "name", "list", "make", "read", "write", "post", "form", "desk", "web"),
    *("models", "queries", "actions", "views", "forms", "messages", "tournament"),  # of each feature
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one file: the bytes from `start` to `end` become `text`."""

    file: Path
    line: int
    start: int
    end: int
    text: str
    what: str

    @property
    def name(self) -> str:
        return f"{self.file}:{self.line}  {self.what}"

    def of(self, source: bytes) -> bytes:
        """Return the source with the change made."""
        return source[: self.start] + self.text.encode() + source[self.end :]


class Finder(ast.NodeVisitor):
    """Collects every change of a module that is worth a test's notice."""

    def __init__(self, file: Path, source: bytes) -> None:
        self.file, self.source, self.found = file, source, list[Mutant]()
        lines = source.splitlines(keepends=True)
        self.starts = [sum(map(len, lines[:at])) for at in range(len(lines) + 1)]

    def change(self, node: ast.expr | ast.stmt, text: str) -> None:
        """Note that a node becomes `text`."""
        start = self.starts[node.lineno - 1] + node.col_offset
        end = self.starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        old = self.source[start:end].decode()
        shown = " → ".join(" ".join(each.split())[:90] for each in (old, text))
        if not OUT_OF_REACH.search(old):
            self.found.append(Mutant(self.file, node.lineno, start, end, text, shown))

    def become(self, node: ast.expr, new: ast.expr) -> None:
        """Note that an expression becomes another."""
        self.change(node, f"({ast.unparse(new)})")

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Leave f-strings out: Python 3.11 does not say where their parts are."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self.visit(node.value)

    def visit_arg(self, node: ast.arg) -> None:
        """Leave annotations out."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for each in node.decorator_list:
            if not KEPT.search(ast.unparse(each)):
                at = self.starts[each.lineno - 1] + each.col_offset
                end = self.starts[(each.end_lineno or 0) - 1] + (each.end_col_offset or 0)
                self.found.append(
                    Mutant(self.file, each.lineno, at, end, "(lambda it: it)", f"@{ast.unparse(each)} left out")
                )
        self.visit(node.args)
        for part in node.body:
            self.visit(part)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for part in node.body:
            self.visit(part)

    def visit_If(self, node: ast.If) -> None:
        if "TYPE_CHECKING" in ast.unparse(node.test) or "__name__" in ast.unparse(node.test):
            return
        self.become(node.test, ast.UnaryOp(ast.Not(), node.test))
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.become(node.test, ast.UnaryOp(ast.Not(), node.test))
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for each in node.ifs:
            self.become(each, ast.UnaryOp(ast.Not(), each))
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        new = OTHER.get(type(node.op))
        if new and not any(
            isinstance(each, (ast.Constant, ast.JoinedStr, ast.List)) for each in (node.left, node.right)
        ):
            self.become(node, ast.BinOp(node.left, new(), node.right))
        self.generic_visit(node)

    def visit_With(self, node: ast.With) -> None:
        for item in node.items:
            if re.search(r"(atomic|at_one_moment)\(\)$", ast.unparse(item.context_expr)):
                self.change(item.context_expr, "__import__('contextlib').nullcontext()")
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        for at, each in enumerate(node.ops):
            new = copy.deepcopy(node)
            new.ops[at] = SWAPS[type(each)]()
            self.become(node, new)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self.become(node, ast.BoolOp(ast.And() if isinstance(node.op, ast.Or) else ast.Or(), node.values))
        for at in range(len(node.values)):
            left = [each for place, each in enumerate(node.values) if place != at]
            self.become(node, ast.BoolOp(node.op, left) if len(left) > 1 else left[0])
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self.become(node, node.operand)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.change(node, str(not node.value))
        elif isinstance(node.value, int):
            self.change(node, str(node.value + 1))

    def visit_Return(self, node: ast.Return) -> None:
        if node.value and not (isinstance(node.value, ast.Constant) and node.value.value in (None, True, False)):
            self.change(node.value, "None")
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        self.change(node, "pass")
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self.change(node, "pass")
            self.generic_visit(node)


# ---------------------------------------------------------------- which tests


def imported(tree: ast.AST) -> Iterator[str]:
    """Yield every name that a module imports, as a dotted path."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)


@cache
def imports_of(file: Path) -> frozenset[str]:
    """Return every name that a file imports."""
    return frozenset(imported(ast.parse((REPO / file).read_bytes())))


def dotted(file: Path) -> str:
    """Return the name that a module is imported by."""
    return ".".join(file.with_suffix("").parts).removesuffix(".__init__")


@cache
def python_files(*folders: str) -> tuple[Path, ...]:
    """List the modules of folders; a file stands for itself."""
    found = {
        each for name in folders for each in ((REPO / name).rglob("*.py") if name[-3:] != ".py" else [REPO / name])
    }
    return tuple(sorted(each.relative_to(REPO) for each in found))


@cache
def text_of(file: Path) -> str:
    """Return a file's text."""
    return (REPO / file).read_text(encoding="utf-8")


def words_of_name(file: Path) -> set[str]:
    """Return the words of a module's name and of its feature."""
    return {word for name in (file.stem, file.parent.name) for word in name.split("_") if len(word) > 3} - COMMON


def words_of(file: Path) -> set[str]:
    """Return the words that a module is known by: of its own name and of its public functions."""
    names = re.findall(r"^def ([a-z]\w+)", text_of(file), re.MULTILINE)
    return words_of_name(file) | {word for name in names for word in name.split("_") if len(word) > 3} - COMMON


def tests_folder(file: Path) -> str:
    """Return the folder of a module's tests, called like its feature or its room; all tests for what is in neither.

    >>> tests_folder(Path("tournament/seating/search/rotations.py")), tests_folder(Path("scoring/fu.py"))
    ('tests/seating', 'tests/scoring')
    """
    name = file.parts[1] if file.parts[0] == "tournament" else file.parts[0]
    return f"tests/{name}" if (REPO / "tests" / name).is_dir() else "tests"


@cache
def tests_of(file: Path, most: int) -> tuple[str, ...]:
    """Return the files of tests that are likeliest to notice a change of a module, likeliest first.

    A test is likely where it imports the module, where it imports what imports the module, and where its own name or
    its text has the module's words: pages are asked for by address, not imported.
    """
    module, words, stem, own = dotted(file), words_of(file), words_of_name(file), tests_folder(file)
    users = {dotted(each) for each in python_files(*ROOMS) if module in imports_of(each)}
    scores: Counter[Path] = Counter()
    for test in (each for each in python_files("tests") if each.name.startswith("test_")):
        text = text_of(test)
        if "pytest.mark.browser" in text or test.parts[1] in ("e2e", "tools") or len(test.parts) == 2:
            continue
        seen, named = imports_of(test), set(test.stem.split("_"))
        scores[test] += 12 * (module in seen) + 8 * len(stem & named) + 3 * len(words & named)
        scores[test] += 2 * min(3, len(users & seen)) + 3 * (own == f"tests/{test.parts[1]}") * bool(users & seen)
        scores[test] += sum(word in text for word in words)
    return tuple(str(test) for test, score in scores.most_common(most) if score > 2)


# ---------------------------------------------------------------- running


class Copy:
    """A copy of the checkout with what is not committed, where changes are made and tests run."""

    def __init__(self, folder: str, limit: float) -> None:
        self.root, self.limit = Path(folder), limit
        listed = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard"], cwd=REPO, capture_output=True, check=True
        )
        for name in listed.stdout.decode().splitlines():
            if (REPO / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(REPO / name, self.root / name)

    def run(self, *tests: str, whole: bool = False) -> tuple[bool, str]:
        """Run tests and return whether they pass, with what pytest says.

        Likely tests that take too long do not pass: the change made a loop. A `whole` room that does tells nothing.
        """
        flags = ["-x", "-q", "-p", "no:randomly", "-p", "no:cacheprovider", "-m", "not nightly and not browser"]
        command = [sys.executable, "-m", "pytest", *flags, *tests]
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            done = subprocess.run(
                command,
                cwd=self.root,
                env=environment,
                capture_output=True,
                text=True,
                timeout=self.limit * (4 if whole else 1),
                check=False,
            )
        except subprocess.TimeoutExpired:
            return whole, "it took too long"
        return done.returncode == 0, done.stdout + done.stderr

    def survives(self, mutant: Mutant, *tests: str, whole: bool = False) -> bool:
        """Say whether no test fails with a change; raises SystemExit where one fails without it."""
        path = self.root / mutant.file
        source = path.read_bytes()
        path.write_bytes(mutant.of(source))
        try:
            passed, said = self.run(*tests, whole=whole)
        finally:
            path.write_bytes(source)
        failed = FAILED.findall(said)
        if not passed and failed and not self.sound(failed[0].split("[")[0]):
            raise SystemExit(f"{failed[0]} fails without any change.\n{said[-2000:]}")
        return passed

    @cache  # noqa: B019  # one copy lives as long as the program
    def sound(self, test: str) -> bool:
        """Say whether a test passes without any change."""
        return self.run(test)[0]


def mutants_of(folder: str) -> list[Mutant]:
    """List every change of a folder's modules that compiles to something else."""
    found = []
    for file in python_files(folder):
        if "migrations" in file.parts or file.name == "apps.py":
            continue
        source = (REPO / file).read_bytes()
        finder = Finder(file, source)
        finder.visit(ast.parse(source))
        same = ast.dump(ast.parse(source))
        found += [each for each in finder.found if ast.dump(ast.parse(each.of(source))) != same]
    return found


def weakened() -> list[Mutant]:
    """List every decorator of a view with its right replaced by that of any viewer, or its door left open."""
    found = []
    for file in python_files("tournament"):
        source = (REPO / file).read_bytes()
        finder = Finder(file, source)
        for node in (each for each in ast.walk(ast.parse(source)) if isinstance(each, ast.FunctionDef)):
            for each in node.decorator_list:
                said = ast.unparse(each)
                weak = {"for_site": "for_account", "for_account": "for_anyone"}.get(said.rpartition(".")[2], "")
                if said.startswith("who_may("):
                    weak = "who_may(Verb.SEE_DESK)" if said != "who_may(Verb.SEE_DESK)" else "for_public"
                if weak:
                    weak = (
                        f"__import__('tournament.pages.permissions', fromlist=['x']).{weak}"
                        if weak.startswith("for_")
                        else weak
                    )
                    finder.change(each, weak)
        found += finder.found
    return found


def report(copied: Copy, title: str, chosen: list[Mutant], tests: tuple[str, ...], most: int) -> list[Mutant]:
    """Try changes and print what came of them; return those that survived."""
    survivors = []
    for mutant in chosen:
        left = copied.survives(mutant, *(tests or tests_of(mutant.file, most)))
        if left and (tests or copied.survives(mutant, tests_folder(mutant.file), whole=True)):
            survivors.append(mutant)
            print(f"  survived  {mutant.name}", flush=True)
    killed = len(chosen) - len(survivors)
    print(f"{title}: {len(chosen)} changes, {killed} noticed, {len(survivors)} survived", flush=True)
    return survivors


def main() -> None:
    """Read the command line, try what it asks for; exits with 1 where something survived."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", help="folders or files of the rooms, as tournament/seating")
    parser.add_argument("--rights", action="store_true", help="weaken each view's right instead")
    parser.add_argument("--count", type=int, default=12, help="changes of each folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--at", action="append", default=[], help="only changes of this line, as FILE:LINE; all of them"
    )
    parser.add_argument("--tests", nargs="+", default=[], help="the tests to run, instead of those that are likeliest")
    parser.add_argument("--most", type=int, default=14, help="files of tests for each change")
    parser.add_argument("--limit", type=float, default=300, help="seconds for each change")
    asked = parser.parse_args()
    survivors: list[Mutant] = []
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copied, tests = Copy(folder, asked.limit), tuple(asked.tests)
        if asked.rights:
            held = next(str(each) for each in python_files("tests") if each.name == "test_rights_table.py")
            survivors += report(copied, "rights", weakened(), tests or (held,), asked.most)
        for place in asked.at:
            file, _, line = place.rpartition(":")
            there = [each for each in mutants_of(file) if each.line == int(line)]
            survivors += report(copied, place, there, tests, asked.most)
        for part in asked.folders:
            every = mutants_of(part)
            draw = random.Random(f"{asked.seed} {part}")  # a draw that can be made again
            chosen = draw.sample(every, min(asked.count, len(every)))
            survivors += report(copied, part, sorted(chosen, key=lambda each: each.name), tests, asked.most)
    sys.exit(1 if survivors else 0)


if __name__ == "__main__":
    main()
