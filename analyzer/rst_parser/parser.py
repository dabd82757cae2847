"""RstParser: trained, saved, loaded; texts in, discourse trees out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

from analyzer.analyses.rst_scores import score_rst
from analyzer.exceptions import AnalyzerError, InputError, Place, SettingsError
from analyzer.formats.documents import DocumentSource, as_documents
from analyzer.metrics.signature import Signature
from analyzer.model.discourse import Documents, Unit
from analyzer.model.settings import require_choice, require_number
from analyzer.rst_parser.archive import (
    Unpacker,
    segment_arrays,
    settings_facts,
    settings_of,
    tag_arrays,
    view_arrays,
)
from analyzer.rst_parser.corpus import (
    WITH_SYNTAX,
    WORDS,
    as_words,
    corpus_facts,
    gold_documents,
)
from analyzer.rst_parser.inputs import Texts, TextSource, read_texts
from analyzer.rst_parser.model import ParserSettings, TreeParser, View
from analyzer.rst_parser.model_file import Arrays, model_bytes, read_model, write_model
from analyzer.rst_parser.parsed import ParsedDocument, ParsedTexts, parsed_ledger
from analyzer.rst_parser.parts import ModelPart, sizes
from analyzer.rst_parser.plain import of_edus, read_plain
from analyzer.rst_parser.segmenting import SegmentModel, segmented
from analyzer.rst_parser.stages import DOCUMENT, STAGES
from analyzer.rst_parser.tagging import TagModel
from analyzer.rst_parser.tokens import TokenText
from analyzer.rst_parser.training import Progress, train_all
from analyzer.runtime.executor import run_tasks
from analyzer.safe_text import counted
from analyzer.transform.head_order import Transform
from analyzer.transform.relations import FINE, RelationMap, named_relations

_AT_ONCE = 32  # documents that are parsed together


@dataclass(frozen=True, eq=False)
class RstParser:
    """A discourse parser (Morey, Muller and Asher 2018, section 4.1, and after it).

    views: weights for texts with syntax, and for words alone. facts: what the model
    says of itself: corpus, sizes, version. Two are equal if their files are.
    """

    settings: ParserSettings
    views: Mapping[str, View]
    segmenters: Mapping[str, SegmentModel]
    tagger: TagModel | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)

    # -- training ----------------------------------------------------------------------

    @classmethod
    def train(
        cls,
        corpus: DocumentSource,
        *,
        syntax: TextSource | None = None,
        encoding: Transform = "chain",
        relations: str | RelationMap | None = FINE,
        stages: Iterable[str] | None = None,
        heuristics: bool = False,
        progress: Progress = lambda message: None,
        problems: list[AnalyzerError] | None = None,
        text_encoding: str = "utf-8",
        seed: int = 1,
    ) -> RstParser:
        """A parser from discourse trees in any format.

        syntax: CoNLL-U files of the same names, with tokens, sentences, paragraphs,
        tags and dependencies; documents without them have words only. relations: the
        classes to predict. stages: `sentence`, `paragraph`, `document`, always
        including the last; with `heuristics`, the paper's two. problems: called with
        documents that could not be used. seed: determines the order in which the tagger
        sees sentences, the only random choice in training.
        """
        require_choice("encoding", encoding, get_args(Transform))
        require_number("seed", seed, least=0)
        name, known = named_relations(relations)
        settings = ParserSettings(
            encoding,
            _stages(stages, heuristics),
            name,
            known,
            heuristics,
            seed=seed,
        )
        told = [] if problems is None else problems
        documents = as_documents(corpus, encoding=text_encoding)
        told.extend(documents.problems)
        gold = gold_documents(documents, syntax, told, text_encoding)
        if not gold:
            raise InputError(
                "no document to learn from", Place(documents.bank.source), code="E160"
            )
        if all(one.root.is_edu for one in gold):
            raise InputError(
                "no document has two EDUs: there is no relation to learn",
                Place(documents.bank.source),
                code="E164",
            )
        found = train_all(gold, settings, progress)
        facts = {"corpus": corpus_facts(gold, documents)}
        trained = cls(
            found.settings, found.views, found.segmenters, found.tagger, facts
        )
        # It is what its file says, to the last bit.
        return cls._of_arrays(trained._facts(), trained._arrays(), "<model>")

    def scored_on(
        self,
        corpus: DocumentSource,
        *,
        syntax: TextSource | None = None,
        encoding: str = "utf-8",
    ) -> RstParser:
        """This parser, with its micro F1 on these documents among its facts."""
        documents = as_documents(corpus, encoding=encoding)
        gold = gold_documents(documents, syntax, [], encoding)
        parsed = self.parse([one.text for one in gold])
        roots = [(one.text.name, one.root) for one in gold]
        found = score_rst(
            Documents.of_units(roots),
            parsed.documents,
            relations=_mapping(self.settings),
        )
        scores = {
            f"{row.encoding} {row.metric}": round(row.f1, 4)
            for row in found.rows
            if row.average == "micro" and row.f1 is not None
        }
        told = {"documents": len(gold), "micro_f1": scores}
        return replace(self, facts={**self.facts, "scores": told})

    # -- files -------------------------------------------------------------------------

    def save(self, path: str | Path) -> str:
        """Write the model; gives back its hash."""
        return write_model(path, self._facts(), self._arrays())

    def to_bytes(self) -> bytes:
        """The file that `save` writes."""
        return model_bytes(self._facts(), self._arrays())[0]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RstParser):
            return NotImplemented
        return self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def load(cls, path: str | Path) -> RstParser:
        """A saved model; InputError if it is not a model, or is damaged."""
        return cls._of_arrays(*read_model(path), str(path))

    @classmethod
    def _of_arrays(
        cls, facts: Mapping[str, Any], arrays: Arrays, source: str
    ) -> RstParser:
        try:
            settings = settings_of(facts["settings"])
            unpacker = Unpacker(arrays, source)
            views = {
                name: unpacker.view(name, settings, facts["classes"][name])
                for name in facts["classes"]
            }
            if not views:
                raise ValueError("classes")
            segmenters = {name: unpacker.segments(name) for name in views}
            tagger = unpacker.tags(facts["tags"]) if facts["tags"] else None
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise InputError(
                "the model is damaged: {what}",
                Place(source),
                code="E154",
                what=f"{type(error).__name__} in its settings",
            ) from None
        return cls(settings, views, segmenters, tagger, facts)

    def _facts(self) -> dict[str, Any]:
        kept = {
            name: value
            for name, value in self.facts.items()
            if name in ("corpus", "scores")
        }
        return {
            **kept,
            "settings": settings_facts(self.settings),
            "tags": list(self.tagger.tags) if self.tagger else [],
            "classes": {
                name: [list(one) for one in view.labels.classes]
                for name, view in self.views.items()
            },
        }

    def _arrays(self) -> Arrays:
        found: Arrays = tag_arrays(self.tagger) if self.tagger else {}
        for name, view in self.views.items():
            found |= view_arrays(view, name)
            found |= segment_arrays(self.segmenters[name], name)
        return found

    # -- parsing -----------------------------------------------------------------------

    def parse(
        self,
        source: TextSource | TokenText | Sequence[TokenText],
        *,
        kind: str = "auto",
        syntax: TextSource | None = None,
        encoding: str = "utf-8",
        jobs: int | None = 1,
    ) -> ParsedTexts:
        """Trees of texts: files of CoNLL-U, EDUs, discourse trees or raw text.

        Texts whose EDUs nothing marks are segmented first.
        """
        texts = _texts(source, kind=kind, syntax=syntax, encoding=encoding)
        found = texts.found
        tasks = [found[at : at + _AT_ONCE] for at in range(0, len(found), _AT_ONCE)]
        rows = [
            one
            for some in run_tasks(self.parse_together, tasks, jobs=jobs)
            for one in some
        ]
        ledger = parsed_ledger(len(rows), texts.problems)
        return ParsedTexts(rows, ledger, self.signature)

    def parse_text(self, text: str, name: str = "text") -> Unit:
        """The discourse tree of a raw text, with blank lines between paragraphs."""
        plain = read_plain(text, name)
        if not len(plain):
            raise InputError("contains no words", Place(name), code="E158")
        return self.parse_together([plain])[0].unit

    def parse_edus(self, edus: Sequence[str], name: str = "text") -> Unit:
        """The discourse tree over EDUs that are known."""
        if not edus:
            raise InputError("contains no EDUs", Place(name), code="E330")
        return self.parse_together([of_edus(edus, name)])[0].unit

    def segment(self, texts: Sequence[TokenText]) -> list[TokenText]:
        """The texts divided into EDUs; marks of EDUs in them are ignored."""
        found: list[TokenText] = list(texts)
        for kind, which in self._kinds(texts).items():
            seen = [self._as_seen(texts[at], kind) for at in which]
            model = self.segmenters[kind]
            for at, one in zip(which, segmented(model, seen), strict=True):
                assert one.edu_starts is not None
                found[at] = texts[at].with_edus(one.edu_starts)
        return found

    @cached_property
    def _parsers(self) -> dict[str, TreeParser]:
        return {
            kind: TreeParser(view, self.settings) for kind, view in self.views.items()
        }

    def parse_together(self, texts: Sequence[TokenText]) -> list[ParsedDocument]:
        """The trees of some texts at once: quick for many short ones."""
        unmarked = [at for at, text in enumerate(texts) if text.edu_starts is None]
        whole = list(texts)
        for at, text in zip(
            unmarked, self.segment([texts[at] for at in unmarked]), strict=True
        ):
            whole[at] = text
        found: dict[int, ParsedDocument] = {}
        for kind, which in self._kinds(whole).items():
            seen = [self._as_seen(whole[at], kind) for at in which]
            found |= zip(which, self._parsers[kind].parse(seen), strict=True)
        return [found[at] for at in range(len(texts))]

    def _as_seen(self, text: TokenText, kind: str) -> TokenText:
        return text if kind == WITH_SYNTAX else as_words(text, self.tagger)

    def _kinds(self, texts: Sequence[TokenText]) -> dict[str, list[int]]:
        """Which texts are seen with syntax, and which as words."""
        found: dict[str, list[int]] = {}
        for at, text in enumerate(texts):
            kind = WITH_SYNTAX if text.has_syntax else WORDS
            if kind not in self.views:
                kind = next(iter(self.views))
            if kind == WITH_SYNTAX and not text.has_syntax:
                raise SettingsError(
                    "the model was trained on texts with syntax only, and {name} has "
                    "none",
                    code="E561",
                    name=text.name,
                )
            found.setdefault(kind, []).append(at)
        return found

    # -- what it is --------------------------------------------------------------------

    def parts(self) -> list[ModelPart]:
        """How large each part of the model is."""
        return sizes(self.views, self.segmenters, self.tagger, self.settings.stages)

    @property
    def signature(self) -> Signature:
        """Every setting that can move a number."""
        settings = self.settings
        corpus = self.facts.get("corpus", {})
        return Signature.of(
            parser="heuristics" if settings.heuristics else "learnt",
            transform=settings.encoding,
            stages=settings.stages,
            relations=settings.relations_name,
            seed=settings.seed,
            documents=corpus.get("documents", 0),
            edus=corpus.get("edus", 0),
        )

    def __getstate__(self) -> dict[str, Any]:
        """Without what is made when it is first asked for."""
        names = ("settings", "views", "segmenters", "tagger", "facts")
        return {name: getattr(self, name) for name in names}

    def __repr__(self) -> str:
        corpus = self.facts.get("corpus", {})
        documents = counted(corpus.get("documents", 0), "document")
        return f"<RstParser {self.settings.encoding}: trained on {documents}>"


def _mapping(settings: ParserSettings) -> RelationMap | None:
    return None if settings.relations is None else dict(settings.relations)


def _texts(
    source: TextSource | TokenText | Sequence[TokenText],
    *,
    kind: str,
    syntax: TextSource | None,
    encoding: str,
) -> Texts:
    if isinstance(source, TokenText):
        return Texts([source])
    if isinstance(source, list | tuple) and all(
        isinstance(one, TokenText) for one in source
    ):
        return Texts(list(source))
    return read_texts(source, kind=kind, syntax=syntax, encoding=encoding)  # type: ignore[arg-type]


# -- what a parser learns from ---------------------------------------------------------


def _stages(given: Iterable[str] | None, heuristics: bool) -> tuple[str, ...]:
    if given is None:
        return (STAGES[0], DOCUMENT) if heuristics else STAGES
    chosen = tuple(given)
    for one in chosen:
        require_choice("stage", one, STAGES)
    if chosen != tuple(one for one in STAGES if one in chosen) or not chosen:
        raise SettingsError(
            "stages go from small to large, each once: {stages:list}",
            code="E562",
            stages=STAGES,
        )
    if chosen[-1] != DOCUMENT:
        raise SettingsError("the last stage is the document", code="E563")
    return chosen
