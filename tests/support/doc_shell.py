"""A small shell for the commands in the documentation: `spinal` runs in this process.

Besides `spinal` it knows how to copy and show files, pipes between two commands, `>`,
globs and comments. Programs that we cannot run in a test are passed over.
"""

from __future__ import annotations

import contextlib
import glob
import io
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from unittest import mock

from analyzer.cli.main import main
from tests.support.command import Ran

# What may stand in a page and is not run: it needs a network, another machine, or would
# change this one.
PASSED_OVER = frozenset(
    ("pip", "make", "git", "dask", "export", "openssl", "python", "python3", "patch")
)
_RUN = frozenset(("cd", "cp", "mkdir", "cat", "zcat", "sed"))


def commands(lines: Sequence[str]) -> Iterator[str]:
    """Lines as commands: comments gone, lines that end in `\\` joined."""
    pending = ""
    for line in lines:
        pending += line
        if pending.endswith("\\"):
            pending = pending[:-1]
            continue
        words = shlex.split(pending, comments=True)
        if words:
            yield pending
        pending = ""


def run(command: str) -> Ran | None:
    """Run a command line in this folder; None if it is passed over."""
    given = ""
    code, err = 0, ""
    for part in _parts(command):
        words, target = _redirected(part)
        if words[0] in PASSED_OVER or _is_setting(words[0]):
            return None
        ran = _run(words, given)
        code, given, err = max(code, ran.code), ran.out, err + ran.err
        if target:
            with open(target, "w", encoding="utf-8") as file:
                file.write(given)
            given = ""
    return Ran(code, given, err)


def _parts(command: str) -> list[list[str]]:
    """The commands of a pipe, each as words; globs outside of quotes are files."""
    lexer = shlex.shlex(command, posix=False, punctuation_chars="|<>")
    lexer.whitespace_split = True
    parts: list[list[str]] = [[]]
    for word in lexer:
        if word == "|":
            parts.append([])
            continue
        bare = shlex.split(word)
        files = sorted(glob.glob(word)) if "*" in word and "'" not in word else []
        parts[-1] += files or bare
    return parts


def _is_setting(word: str) -> bool:
    """Whether it sets a variable of the environment."""
    return "=" in word and word.partition("=")[0].isidentifier()


def _redirected(words: list[str]) -> tuple[list[str], str | None]:
    if ">" not in words:
        return words, None
    at = words.index(">")
    return words[:at] + words[at + 2 :], words[at + 1]


def _run(words: Sequence[str], given: str) -> Ran:
    if words[0] == "spinal":
        out, err = io.StringIO(), io.StringIO()
        stdin = io.TextIOWrapper(io.BytesIO(given.encode()), "utf-8")
        with (
            mock.patch.object(sys, "stdin", stdin),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            code = main(list(words[1:]))
        return Ran(code, out.getvalue(), err.getvalue())
    assert words[0] in _RUN, f"{words[0]}: the tests of the documentation know it not"
    if words[0] == "cd":
        os.chdir(words[1])
        return Ran(0, "", "")
    if words[0] == "cp":
        shutil.copyfile(words[1], words[2])
        return Ran(0, "", "")
    if words[0] == "mkdir":
        os.makedirs(words[-1], exist_ok=True)
        return Ran(0, "", "")
    done = subprocess.run(
        words, input=given, capture_output=True, text=True, check=False, timeout=60
    )
    return Ran(done.returncode if words[0] != "diff" else 0, done.stdout, done.stderr)
