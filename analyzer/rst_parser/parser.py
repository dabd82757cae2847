"""RstParser: trained, saved, loaded; texts in, discourse trees out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from analyzer.analyses.rst_scores import score_rst
from analyzer.exceptions import AnalyzerError, InputError, Place, SettingsError
from analyzer.formats.documents import DocumentSource, as_documents
from analyzer.metrics.signature import Signature
from analyzer.model.discourse import Documents, Unit
from analyzer.model.settings import require_choice, require_number
from analyzer.pairing.ledger import DOCUMENT as DOCUMENTS
from analyzer.pairing.ledger import Ledger, LeftOut, Reason, reading_lines
from analyzer.rst_parser.attachment import ParserSettings, Weights
from analyzer.rst_parser.decoding import EduRow, ParsedDocument, parse_edus
from analyzer.rst_parser.segmenter import segment
from analyzer.rst_parser.stages import DOCUMENT, STAGES
from analyzer.rst_parser.storage import (
    Arrays,
    model_bytes,
    packed,
    read_model,
    unpacked,
    write_model,
)
from analyzer.rst_parser.tagger import TagModel
from analyzer.rst_parser.text import (
    Texts,
    TextSource,
    TokenText,
    of_edus,
    read_plain,
    read_texts,
)
from analyzer.rst_parser.training import (
    WITH_SYNTAX,
    WORDS,
    ModelPart,
    Progress,
    as_words,
    corpus_facts,
    gold_documents,
    model_summary,
    train_all,
)
from analyzer.runtime.executor import run_tasks
from analyzer.safe_text import counted
from analyzer.transform.documents import Roots, rooted_alone
from analyzer.transform.head_order import Transform
from analyzer.transform.relations import FINE, RelationMap, named_relations

if TYPE_CHECKING:
    import pandas as pd

_AT_ONCE = 32  # documents that are parsed together


@dataclass(frozen=True, repr=False)
class ParsedTexts:
    """What `RstParser.parse` gives back: one row a document, and what was left out."""

    rows: list[ParsedDocument]
    ledger: Ledger = field(default_factory=lambda: Ledger(DOCUMENTS))
    signature: Signature = field(default_factory=Signature.of)

    @property
    def left_out(self) -> list[LeftOut]:
        """Texts that could not be parsed, and why."""
        return self.ledger.left_out

    @property
    def problems(self) -> list[AnalyzerError]:
        """What could not be read."""
        return self.ledger.unread

    @cached_property
    def documents(self) -> Documents:
        """The trees as constituents, to score or to write."""
        units = ((row.name, row.unit) for row in self.rows)
        return Documents.of_units(units, "<parsed>")

    def frame(self) -> pd.DataFrame:
        """One row an EDU, as a table of pandas."""
        import pandas as pd

        edus = [edu for row in self.rows for edu in row.edus]
        return pd.DataFrame(edus, columns=EduRow._fields)

    def __getstate__(self) -> dict[str, object]:
        """Without what is made when it is first asked for."""
        return {name: getattr(self, name) for name in ("rows", "ledger", "signature")}

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[ParsedDocument]:
        return iter(self.rows)

    def __repr__(self) -> str:
        edus = counted(sum(len(row.tree) for row in self.rows), "EDU")
        return f"<ParsedTexts: {counted(len(self), 'document')}, {edus}>"


@dataclass(frozen=True, eq=False)
class RstParser:
    """A discourse parser (Morey, Muller and Asher 2018, section 4.1, and after it).

    views: weights for texts with syntax, and for words alone. facts: what the model
    says of itself: corpus, sizes, version. Two are equal if their files are.
    """

    settings: ParserSettings
    views: Mapping[str, Weights]
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
        roots: Roots | str = Roots.JOIN,
        stages: Iterable[str] | None = None,
        heuristics: bool = False,
        progress: Progress = lambda message: None,
        problems: list[AnalyzerError] | None = None,
        notes: list[AnalyzerError] | None = None,
        text_encoding: str = "utf-8",
        seed: int = 1,
    ) -> RstParser:
        """A parser from discourse trees in any format.

        syntax: CoNLL-U files of the same names, with tokens, sentences, paragraphs,
        tags and dependencies; documents without them have words only. relations: the
        classes to predict. roots: what becomes of documents of several trees. stages:
        `sentence`, `paragraph`, `document`, always including the last; with
        `heuristics`, the paper's two. problems: is given documents that could not be
        used, notes those whose text and syntax differ. seed: determines the half of the
        documents that guesses the tags of the other, all that is random in training.
        """
        require_choice("encoding", encoding, get_args(Transform))
        require_number("seed", seed, least=0)
        name, known = named_relations(relations)
        chosen = _stages(stages, heuristics)
        settings = ParserSettings(encoding, chosen, name, known, heuristics, seed=seed)
        unread = [] if problems is None else problems
        documents = as_documents(corpus, encoding=text_encoding)
        documents = rooted_alone(documents, roots)
        for line in reading_lines((-1, reading) for reading in documents.readings):
            progress(line)
        unread.extend(documents.problems)
        differing = [] if notes is None else notes
        gold = gold_documents(documents, syntax, unread, text_encoding, differing)
        place = Place(documents.bank.source)
        if not gold:
            raise InputError("E160 no document to learn from", place)
        if all(document.root.is_edu for document in gold):
            raise InputError("E164 no document has two EDUs", place)
        facts = {"corpus": corpus_facts(gold, documents)}
        trained = packed((*train_all(gold, settings, progress), facts))
        # It is what its file says, to the last bit.
        return cls(*unpacked(*trained, "<model>"))

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
        parsed = self.parse([text for text, _ in gold])
        scores = score_rst(
            Documents.of_units((text.name, root) for text, root in gold),
            parsed.documents,
            relations=self.settings.relations,
        )
        micro = {
            f"{row.encoding} {row.metric}": round(row.f1, 4)
            for row in scores.rows
            if row.average == "micro" and row.f1 is not None
        }
        scored = {"documents": len(gold), "micro_f1": micro}
        return replace(self, facts={**self.facts, "scores": scored})

    # -- files -------------------------------------------------------------------------

    def save(self, path: str | Path) -> str:
        """Write the model; gives back its hash."""
        return write_model(path, *self._packed())

    def to_bytes(self) -> bytes:
        """The file that `save` writes."""
        return model_bytes(*self._packed())[0]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RstParser):
            return NotImplemented
        return self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def load(cls, path: str | Path) -> RstParser:
        """A saved model; InputError if it is not a model, or is damaged."""
        return cls(*unpacked(*read_model(path), str(path)))

    def _packed(self) -> tuple[dict[str, Any], Arrays]:
        return packed((self.settings, self.views, self.tagger, self.facts))

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
        given = [source] if isinstance(source, TokenText) else source
        if isinstance(given, list | tuple) and all(
            isinstance(text, TokenText) for text in given
        ):
            read = Texts(list(given))
        else:
            read = read_texts(given, kind=kind, syntax=syntax, encoding=encoding)  # type: ignore[arg-type]
        texts = read.texts
        tasks = [texts[at : at + _AT_ONCE] for at in range(0, len(texts), _AT_ONCE)]
        parts = run_tasks(self.parse_together, tasks, jobs=jobs)
        rows = [row for part in parts for row in part]
        items = tuple(LeftOut(0, Reason.UNREADABLE, error) for error in read.problems)
        total = len(rows) + len(items)
        ledger = Ledger(DOCUMENTS, total, total, len(rows), items)
        return ParsedTexts(rows, ledger, self.signature)

    def parse_text(self, text: str, name: str = "text") -> Unit:
        """The discourse tree of a raw text, with blank lines between paragraphs."""
        plain = read_plain(text, name)
        if not len(plain):
            raise InputError("E158 contains no words", Place(name))
        return self.parse_together([plain])[0].unit

    def parse_edus(self, edus: Sequence[str], name: str = "text") -> Unit:
        """The discourse tree over EDUs that are known."""
        if not edus:
            raise InputError("E330 contains no EDUs", Place(name))
        return self.parse_together([of_edus(edus, name)])[0].unit

    def segment(self, texts: Sequence[TokenText]) -> list[TokenText]:
        """The texts divided into EDUs; marks of EDUs in them are ignored."""
        divided = list(texts)
        for kind, which in self._kinds(texts).items():
            unmarked = [replace(texts[at], edu_starts=None) for at in which]
            seen = self._divided(self._as_seen(unmarked, kind), kind)
            for at, text in zip(which, seen, strict=True):
                divided[at] = replace(
                    texts[at], sentences=text.sentences, edu_starts=text.edu_starts
                )
        return divided

    def parse_together(self, texts: Sequence[TokenText]) -> list[ParsedDocument]:
        """The trees of some texts at once: quick for many short ones."""
        parsed: dict[int, ParsedDocument] = {}
        for kind, which in self._kinds(texts).items():
            seen = self._divided(self._as_seen([texts[at] for at in which], kind), kind)
            trees = parse_edus(self.views[kind], self.settings, seen)
            parsed |= zip(which, trees, strict=True)
        return [parsed[at] for at in range(len(texts))]

    def _as_seen(self, texts: list[TokenText], kind: str) -> list[TokenText]:
        return texts if kind == WITH_SYNTAX else as_words(texts, self.tagger)

    def _divided(self, seen: list[TokenText], kind: str) -> list[TokenText]:
        """Texts as they are seen, with EDUs where they have no marks of them."""
        unmarked = [text for text in seen if text.edu_starts is None]
        starts = iter(segment(self.views[kind].segments, unmarked) if unmarked else ())
        return [
            replace(text, edu_starts=next(starts)) if text.edu_starts is None else text
            for text in seen
        ]

    def _kinds(self, texts: Sequence[TokenText]) -> dict[str, list[int]]:
        """Which texts are seen with syntax, and which as words."""
        kinds: dict[str, list[int]] = {}
        for at, text in enumerate(texts):
            kind = WITH_SYNTAX if text.has_syntax else WORDS
            if kind not in self.views:
                kind = next(iter(self.views))
            if kind == WITH_SYNTAX and not text.has_syntax:
                raise SettingsError("E561 trained on texts with syntax", name=text.name)
            kinds.setdefault(kind, []).append(at)
        return kinds

    # -- what it is --------------------------------------------------------------------

    def parts(self) -> list[ModelPart]:
        """How large each part of the model is."""
        return model_summary(self.views, self.tagger, self.settings.stages)

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

    def __repr__(self) -> str:
        corpus = self.facts.get("corpus", {})
        documents = counted(corpus.get("documents", 0), "document")
        return f"<RstParser {self.settings.encoding}: trained on {documents}>"


def _stages(given: Iterable[str] | None, heuristics: bool) -> tuple[str, ...]:
    if given is None:
        return (STAGES[0], DOCUMENT) if heuristics else STAGES
    chosen = tuple(given)
    for stage in chosen:
        require_choice("stage", stage, STAGES)
    if chosen != tuple(stage for stage in STAGES if stage in chosen) or not chosen:
        raise SettingsError("E562 stages go from small to large", stages=STAGES)
    if chosen[-1] != DOCUMENT:
        raise SettingsError("E563 the last stage is the document")
    return chosen
