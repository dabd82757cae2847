"""Texts to parse: CoNLL-U, EDUs one a line, discourse trees, or raw text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

from analyzer.exceptions import AnalyzerError, InputError, Place
from analyzer.files.inputs import Input, InputFile
from analyzer.formats.documents import document_name, file_text
from analyzer.formats.registry import Family, detect, parse_documents
from analyzer.limits import limits
from analyzer.model.dependencies import DependencyTree
from analyzer.model.discourse import Unit
from analyzer.model.settings import require_choice
from analyzer.rst_parser.aligning import with_edus
from analyzer.rst_parser.plain import of_edus, read_plain
from analyzer.rst_parser.tokens import TokenText, is_word_conllu, read_tokens

AUTO, TEXT, EDUS, CONLLU, TREES = "auto", "text", "edus", "conllu", "trees"
_SYNTAX_ENDINGS = (".conllu", ".conll", ".tok")
KINDS = (AUTO, TEXT, EDUS, CONLLU, TREES)
TextSource = str | Path | Input | Sequence[str | Path]


@dataclass
class Texts:
    """What was read, and what could not be."""

    found: list[TokenText] = field(default_factory=list)
    problems: list[AnalyzerError] = field(default_factory=list)


class Syntax:
    """CoNLL-U of documents by their names, read when one is asked for."""

    def __init__(self, source: TextSource | None, encoding: str = "utf-8") -> None:
        self._files: dict[str, InputFile] = {}
        if source is not None:
            files = _input(source, encoding).files
            named_so = [one for one in files if _is_syntax(one.name)]
            for file in named_so or files:
                self._files[document_name(file.name)] = file

    def __bool__(self) -> bool:
        return bool(self._files)

    def over(self, name: str, edus: Sequence[str]) -> TokenText:
        """The tokens of a document with these EDUs; EDUs alone if there are none."""
        file = self._files.get(name)
        if file is None:
            return of_edus(edus, name)
        tokens = read_tokens(file_text(file), file.name)
        if len(tokens) > 1:
            raise InputError(
                "contains {count:document}; a file of syntax has one",
                Place(file.name),
                code="E157",
                count=len(tokens),
            )
        return with_edus(named(tokens[0], name), edus, file.name)


def _is_syntax(name: str) -> bool:
    """Whether a file is called as CoNLL-U is, compressed or not."""
    return any(ending in Path(name).suffixes for ending in _SYNTAX_ENDINGS)


def named(text: TokenText, name: str) -> TokenText:
    return replace(text, name=name)


def _input(source: TextSource, encoding: str) -> Input:
    if isinstance(source, Input):
        return source
    if isinstance(source, str | Path):
        return Input.of_path(str(source), encoding=encoding)
    return Input.of_paths(source, encoding=encoding)


def read_texts(
    source: TextSource,
    *,
    kind: str = AUTO,
    syntax: TextSource | None = None,
    encoding: str = "utf-8",
) -> Texts:
    """The texts of files, globs or folders, told apart by what is in them.

    auto: CoNLL-U by its columns, discourse trees by how they begin, `.edus` by name,
    everything else raw text. What cannot be read is among the problems.
    """
    require_choice("input", kind, KINDS)
    found = Texts()
    beside = Syntax(syntax, encoding)
    taken: set[str] = set()
    for file in list(_input(source, encoding).files):
        try:
            texts = _read(file, kind, beside)
        except AnalyzerError as error:
            found.problems.append(error.at(error.place or Place(file.name)))
            continue
        for text in texts:
            found.found.append(named(text, _free(text.name, taken)))
    return found


def _free(name: str, taken: set[str]) -> str:
    """A name that no document had before."""
    names = (name if not number else f"{name}:{number + 1}" for number in count())
    free = next(one for one in names if one not in taken)
    taken.add(free)
    return free


def _read(file: InputFile, kind: str, syntax: Syntax) -> list[TokenText]:
    text = file_text(file)
    name = document_name(file.name)
    if not text.strip():
        raise InputError("is empty", Place(file.name), code="E141")
    if kind == AUTO:
        kind = _kind(file.name, text)
    if kind == CONLLU:
        found = read_tokens(text, file.name)
        if len(found) == 1:
            return [named(found[0], name)]
        return [
            named(one, one.name or f"{name}:{number}")
            for number, one in enumerate(found, start=1)
        ]
    if kind == TREES:
        trees = [one.tree for one in parse_documents(text, file.name)]
        names = (
            [name]
            if len(trees) == 1
            else [f"{name}:{n + 1}" for n in range(len(trees))]
        )
        return [
            syntax.over(one, edu_texts(tree))
            for one, tree in zip(names, trees, strict=True)
        ]
    if kind == EDUS:
        edus = [line.strip() for line in text.split("\n") if line.strip()]
        _check_size(len(edus), file.name)
        return [syntax.over(name, edus)]
    plain = read_plain(text, name)
    if not len(plain):
        raise InputError("contains no words", Place(file.name), code="E158")
    return [plain]


def _kind(name: str, text: str) -> str:
    if is_word_conllu(text):
        return CONLLU
    if ".edus" in name:
        return EDUS
    found = detect(text, Family.DISCOURSE)
    # Raw text may begin with a bracket or a number.
    is_tree = found is not None and found.name not in (
        "decisions",
        "triples",
        "brackets",
    )
    return TREES if is_tree else TEXT


def edu_texts(tree: Unit | DependencyTree) -> list[str]:
    if isinstance(tree, DependencyTree):
        return list(tree.texts)
    return [unit.text for unit in tree.walk() if unit.is_edu]


def _check_size(edus: int, source: str) -> None:
    allowed = limits().tree_nodes
    if 2 * edus > allowed:
        raise InputError(
            "found {edus:EDU}; a document may have at most {allowed:,} units "
            "(--max-tree-nodes)",
            Place(source),
            code="E159",
            edus=edus,
            allowed=allowed,
        )
