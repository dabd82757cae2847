"""What an argument stands for: files that are looked at, kept, refused."""

from __future__ import annotations

import gzip
import io
import json
import os
import threading
import warnings
from pathlib import Path

import pytest

from analyzer import check, compare_systems, evalb, read_rst, read_trees, score
from analyzer.exceptions import InputError, InputWarning, UnreadWarning
from analyzer.files.inputs import Input, InputFile
from tests.support.command import spinal
from tests.support.reading import CAT
from tests.support.users import folder_of_nobody

TREES = f"{CAT}\n" * 2
DIS = "( Root (span 1 2)\n ( Nucleus (leaf 1) (rel2par span) (text _!a_!) )\n" + (
    " ( Satellite (leaf 2) (rel2par Cause) (text _!b_!) ) )\n"
)


def test_what_was_looked_at_is_read() -> None:
    data = gzip.compress(b"(A a)\n" * 10_000)
    file = InputFile(io.BytesIO(data))
    assert len(file.start()) == 4096
    assert len(file.start(20_000)) == 20_000
    with file.open() as stream:
        assert stream.read(7) == b"(A a)\n("
    with pytest.raises(InputError, match="can be read only once"):
        file.start()


def test_what_is_kept_is_read_again() -> None:
    file = InputFile(io.BytesIO("(A é)".encode("utf-16")))
    assert file.start() == "(A é)"
    file.keep()
    for _ in range(2):
        with file.open() as stream:
            assert (stream.read(99).decode(), stream.is_recoded) == ("(A é)", True)


REFUSED = {
    "empty": (b"", "is empty"),
    "blank": (b"\n" * 20_000, "is empty"),
    "garbage": (b"S NN a\nhello\n", "contains no trees"),
    "damaged": (gzip.compress(b"(A a)\n" * 999)[:9] + b"?" * 20, "damaged compressed"),
    "UTF-16 without a mark": (TREES.encode("utf-16-le"), "is not text (a NUL byte"),
    "discourse": (DIS.encode(), "contains a discourse tree (dis)"),
}
READ = {
    "bad from the first line": b"S (NN a))\n" + TREES.encode(),
    "blank lines first": b"\n" * 9_000 + TREES.encode(),
    "a long comment first": b"# " + b"x" * 20_000 + b"\n" + TREES.encode(),
    "after prose": b"Trees of Monday\n\n" + TREES.encode(),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_files_of_a_folder_that_are_not_read_are_named(
    kind: str, tmp_path: Path
) -> None:
    data, reason = REFUSED[kind]
    (tmp_path / "a.mrg").write_text(TREES)
    (tmp_path / "b.mrg").write_bytes(data)
    commands = [["evalb", tmp_path, tmp_path], ["check", tmp_path]]
    for command in commands[: 1 if kind == "discourse" else 2]:  # check takes both
        ran = spinal(*command)
        assert f"{tmp_path}/b.mrg: not read: {reason}" in ran.err
        assert ran.code == 2
        assert spinal(*command, "-q").code == 2
    with pytest.warns(UnreadWarning, match="not read"):
        assert len(read_trees(tmp_path)) == 2


@pytest.mark.parametrize("kind", READ)
def test_good_trees_of_a_folder_are_read_whatever_comes_first(
    kind: str, tmp_path: Path
) -> None:
    (tmp_path / "a.mrg").write_text(TREES)
    (tmp_path / "b.mrg").write_bytes(READ[kind])
    ran = spinal("score", tmp_path, tmp_path, "--format", "json")
    assert json.loads(ran.out)["sentences_scored"] == 4
    is_bad = kind in ("bad from the first line", "after prose")
    assert ran.code == (2 if is_bad else 0)


def test_links_and_folders_that_cannot_be_followed_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.mrg").write_text(TREES)
    evalb(tmp_path, tmp_path)  # and all that it needs is loaded
    with folder_of_nobody() as folder:
        (folder / "closed").mkdir()
        (folder / "a.mrg").write_text(TREES)
        (folder / "link.mrg").symlink_to("nowhere")
        (folder / "up").symlink_to("..")
        os.mkfifo(folder / "fifo")
        (folder / "locked.mrg").write_text(TREES)
        for closed in ("closed", "locked.mrg"):
            (folder / closed).chmod(0)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = evalb(folder, folder)
        (folder / "closed").chmod(0o700)
    told = {str(one.message) for one in caught}
    for name, reason in {
        "link.mrg": "is a link to a file that does not exist",
        "up": "is a link to a folder; links to folders are not followed",
        "fifo": "is a pipe, a socket or a device, not a file",
        "closed": "cannot be listed: Permission denied",
        "locked.mrg": "cannot be read: Permission denied",
    }.items():
        assert f"{folder / name}: not read: {reason}" in told
    assert found.ledger.scored == 2
    assert len(found.ledger.unread) == 10  # on either side


def test_hidden_files_and_backups_are_no_data(tmp_path: Path) -> None:
    (tmp_path / "a.mrg").write_text(TREES)
    (tmp_path / ".git").mkdir()
    left = (".b.mrg", "a.mrg~", "#a.mrg#", "a.mrg.orig", "a.bak", ".git/c", "Thumbs.db")
    for name in left:
        (tmp_path / name).write_text(TREES)
    assert len(read_trees(tmp_path)) == 2
    ran = spinal("evalb", tmp_path, tmp_path, "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    assert len(read_trees(tmp_path / "a.mrg~")) == 2  # if it is asked for


def test_what_lies_beside_trees_is_named_and_no_loss(tmp_path: Path) -> None:
    (tmp_path / "a.mrg").write_text(TREES)
    (tmp_path / "README").write_text("Trees.")
    ran = spinal("evalb", tmp_path, tmp_path)
    assert (ran.code, ran.err) == (
        0,
        f"spinal: {tmp_path}: passed over 1 file without trees: README\n",
    )


@pytest.mark.parametrize("name", ["README", "readme.txt", "LICENSE.md", "ChangeLog"])
def test_what_is_about_a_folder_is_no_trees(name: str, tmp_path: Path) -> None:
    """Though it may show some of them."""
    (tmp_path / "a.mrg").write_text(TREES)
    about = tmp_path / name
    about.write_text("A tree of this treebank:\n\n( (S (NP (NN x))\n    (VP\n" + TREES)
    for command in ("evalb", "score"):
        ran = spinal(command, tmp_path, tmp_path)
        assert ran.code == 0
        assert f"passed over 1 file without trees: {name}" in ran.err
    assert len(read_trees(tmp_path)) == 2
    with pytest.warns(InputWarning, match="could not be read"):
        read_trees(about)  # if it is asked for


@pytest.mark.parametrize("stray", [".DS_Store", "A.txt", "A"])
def test_a_stray_file_does_not_make_documents_sentences(
    stray: str, tmp_path: Path
) -> None:
    (tmp_path / "a.dis").write_text(DIS)
    (tmp_path / stray).write_bytes(b"" if stray == "A" else b"\0\1 Bud1")
    ran = spinal("errors", tmp_path, tmp_path, "--format", "json")
    assert "malformed" not in ran.err
    assert json.loads(ran.out)["total"] == 0
    assert ran.code == 0
    assert "κ of constituents" in spinal("agree", tmp_path, tmp_path).out


def test_two_kinds_of_trees_in_a_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.dis").write_text(DIS)
    (tmp_path / "b.mrg").write_text(TREES)
    ran = spinal("errors", tmp_path, tmp_path)
    assert ran.code == 2
    assert (
        f"sentences ({tmp_path}/b.mrg) and of documents ({tmp_path}/a.dis)" in ran.err
    )


def test_documents_that_cannot_be_opened_are_problems(tmp_path: Path) -> None:
    (tmp_path / "a.dis").write_text(DIS)
    (tmp_path / "b.dis").symlink_to("nowhere")
    found = read_rst(tmp_path)
    assert [str(one) for one in found.problems] == [
        f"{tmp_path}/b.dis: is a link to a file that does not exist"
    ]
    assert spinal("rst", "score", tmp_path, tmp_path).code == 2


# -- from Python -----------------------------------------------------------------------


def test_paths_in_many_forms(tmp_path: Path) -> None:
    one, two = tmp_path / "a.mrg", tmp_path / "b.mrg"
    one.write_text(TREES)
    two.write_text(TREES)
    for given in (one, str(one), [one], (str(one),), io.BytesIO(TREES.encode())):
        assert evalb(given, one).summary.sentences == 2
    with open(one) as stream:
        assert len(read_trees(stream)) == 2
    assert score([str(one), two], [one, one]).ledger.scored == 4
    assert check(one).size == 2
    for wrong in ([3], 3, [one, None]):
        with pytest.raises(Exception, match="cannot read trees from"):
            score(wrong, one)  # type: ignore[arg-type]


def test_a_list_of_names_is_never_trees() -> None:
    with pytest.raises(InputError, match=r"a\.mrg: no such file"):
        score(["a.mrg"], ["a.mrg"])
    assert len(read_trees(["(A a)"])) == 1  # this is a tree


@pytest.mark.slow
def test_a_file_that_is_called_as_a_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("(A a)", "two\nlines", "x=y.mrg"):
        Path(name).write_text(TREES)
        assert len(read_trees(name)) == 2
        ran = spinal("evalb", name, name, "--format", "json")
        assert '"sentences": 2' in ran.out
    assert spinal("evalb", "(B b)", "(B b)").err == "spinal: (B b): no such file\n"
    ran = spinal("compare", "x=y.mrg", "x=y.mrg", "./x=y.mrg", "--resamples", "5")
    assert ran.code == 0
    assert spinal("report", "x=y.mrg", "x=y.mrg", "--html", "o.html").code == 0


@pytest.mark.parametrize("command", ["score", "evalb", "errors", "agree"])
def test_who_is_to_blame(command: str, tmp_path: Path) -> None:
    trees, empty = tmp_path / "a.mrg", tmp_path / "empty.mrg"
    trees.write_text(TREES)
    empty.write_text("")
    ran = spinal(command, "", trees)
    assert (ran.code, ran.err) == (
        2,
        "spinal: '': an empty name where a file is expected\n",
    )
    ran = spinal(command, empty, trees)
    assert ran.code == 2
    assert ran.err.startswith(f"spinal: {empty}: contains no trees")


def test_lines_that_end_in_carriage_returns(tmp_path: Path) -> None:
    path = tmp_path / "a.mrg"
    path.write_bytes(b"(A a)\r(B b)\r\r(C c)\r")
    bank = read_trees(path)
    assert [tree.words for tree in bank] == [["a"], ["b"], ["c"]]
    assert bank.line.tolist() == [1, 2, 4]
    path.write_bytes(b"(A a)\r" * 50_000)
    assert len(read_trees(path)) == 50_000


def test_words_that_only_look_the_same() -> None:
    found = score("(S (NN café))", "(S (NN cafe\u0301))")
    assert "convert both to the same form (NFC)" in str(found.left_out[0].error)


def test_systems_may_come_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "a.mrg"
    path.write_text(TREES)
    with open(path, "rb") as gold:  # read once, needed twice
        found = compare_systems(gold, ((name, path) for name in "ab"), resamples=5)
    assert [one.scores.ledger.scored for one in found.systems] == [2, 2]


def test_a_fifo_is_read(tmp_path: Path) -> None:
    fifo = tmp_path / "a.mrg"
    os.mkfifo(fifo)
    data = TREES * 5_000  # more than a pipe holds
    writer = threading.Thread(target=lambda: fifo.write_text(data))
    writer.start()
    try:
        assert score(fifo, data).ledger.scored == 10_000
    finally:
        writer.join()


def test_the_input_knows_what_was_not_read(tmp_path: Path) -> None:
    (tmp_path / "a.mrg").write_text(TREES)
    (tmp_path / "b.mrg").write_text("")
    (tmp_path / "README").write_text("x")
    given = Input.of_path(tmp_path)
    with pytest.warns(UnreadWarning):
        read_trees(given)
    assert [(Path(one.path).name, one.is_loss) for one in given.unread] == [
        ("README", False),
        ("b.mrg", True),
    ]
