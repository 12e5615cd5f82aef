"""Promises that the whole repository keeps: what imports what, what the README shows, what is pinned."""

import ast
import inspect
import re
from pathlib import Path

import pytest

import bpe_core

ROOT = Path(__file__).parents[1]
VISIBLE = {"app.py", "bpe_core", "pages", "tests", "requirements.txt", "README.md", "pyproject.toml"}
CORE = sorted((ROOT / "bpe_core").rglob("*.py"))
VIEW = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]


def imported_modules(path: Path) -> set[str]:
    tree = ast.parse(path.read_text())
    plain = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    return plain | {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}


def test_nothing_else_stands_at_the_top():
    assert {path.name for path in ROOT.iterdir() if not path.name.startswith((".", "__"))} <= VISIBLE


@pytest.mark.parametrize("path", CORE, ids=lambda path: path.stem)
def test_the_core_has_never_heard_of_a_screen(path):
    first_names = {module.split(".")[0] for module in imported_modules(path)}

    assert not first_names & {"streamlit", "plotly", "pages"}


def test_a_page_imports_no_other_page():
    pages = {f"pages.{path.stem}" for path in (ROOT / "pages").glob("*.py")}

    assert all(not imported_modules(path) & pages for path in VIEW)


def test_only_state_names_session_state():
    naming = [path.name for path in VIEW if "session_state" in path.read_text()]

    assert naming == ["state.py"]


def test_no_view_asks_streamlit_to_run_html_or_to_fetch():
    risky = re.compile(r"unsafe_allow|st\.table\(|https?://(?!127\.0\.0\.1)")

    assert [path.name for path in VIEW if risky.search(path.read_text())] == []


PUBLIC = {name: getattr(bpe_core, name) for name in bpe_core.__all__}


@pytest.mark.parametrize("name", [name for name, public in PUBLIC.items() if inspect.isfunction(public)])
def test_public_function_has_an_example_that_runs(name):
    assert ">>>" in inspect.getdoc(PUBLIC[name])


@pytest.mark.parametrize("name", [name for name, public in PUBLIC.items() if inspect.isclass(public)])
def test_public_class_says_what_it_is(name):
    assert len(PUBLIC[name].__doc__) > 30


def test_readme_example_prints_what_it_says(capsys):
    example = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL).group(1)

    exec(compile(example, "README.md", "exec"), {})

    printed = capsys.readouterr().out.splitlines()
    promised = re.findall(r"print\(.*\)\s+# (.*)", example)
    assert printed[: len(promised)] == promised


def test_every_requirement_is_pinned():
    lines = [line.split("#")[0].strip() for line in (ROOT / "requirements.txt").read_text().splitlines()]

    assert all("==" in line for line in lines if line)
    assert "regex==2025.7.34" in lines
