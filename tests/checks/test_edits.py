"""An edit does to a text what it says, and nothing else, however that is written."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from analyzer.checks.fixes import spliced, splices
from analyzer.checks.sources import SourceFile, SourceTree, parse
from analyzer.formats.reading import read_trees
from tests.support.strategies import Dialect, Plain, dialects, plain

_LABEL = st.sampled_from(["S", "NP", "NP-SBJ", "VP", "PP"])
_WORD = st.sampled_from(["a", "été", "no\u00a0break", "*x*", "#1", '"', "-LRB-"])
_GROUPS = st.lists(
    st.tuples(st.integers(0, 7), st.integers(1, 4), _LABEL), min_size=2, max_size=8
)
MARK = "\ufeff"


@st.composite
def _trees(draw: st.DrawFn) -> Plain:
    leaves = draw(st.lists(st.tuples(_LABEL, _WORD), min_size=2, max_size=8))
    items: list[Plain] = list(leaves)
    for start, size, label in draw(_GROUPS):
        at = start % len(items)
        items[at : at + size] = [(label, tuple(items[at : at + size]))]
    return "S", tuple(items)


class Twin:
    """The slow twin: a tree that is changed node by node."""

    def __init__(self, tree: Plain, parent: Twin | None = None) -> None:
        self.label: str = tree[0]
        self.parent = parent
        self.form = tree[1] if isinstance(tree[1], str) else None
        self.children = [Twin(c, self) for c in tree[1]] if self.form is None else []

    @property
    def nodes(self) -> list[Twin]:
        return [self, *(node for child in self.children for node in child.nodes)]

    @property
    def plain(self) -> Plain:
        if self.form is not None:
            return self.label, self.form
        return self.label, tuple(child.plain for child in self.children)

    def edit(self, action: str, node: Twin, other: Twin | None, label: str) -> None:
        parent = node.parent
        assert parent is not None
        at = parent.children.index(node)
        if action == "relabel":
            node.label = label
        elif action == "add":
            assert other is not None
            end = parent.children.index(other) + 1
            above = Twin((label, ()), parent)
            above.children = parent.children[at:end]
            parent.children[at:end] = [above]
        elif action == "drop":
            parent.children[at : at + 1] = node.children
        else:
            assert other is not None
            self._move(node, other, label)

    def _move(self, node: Twin, site: Twin, label: str) -> None:
        owner = node.parent
        assert owner is not None
        owner.children.remove(node)
        if site in _above(owner):  # higher: after the child that holds it
            held = next(child for child in site.children if child in _line(owner))
            site.children.insert(site.children.index(held) + 1, node)
        elif label:
            inner = Twin((site.label, ()), site)
            inner.children, inner.form = site.children, site.form
            site.label, site.form, site.children = label, None, [inner, node]
        else:
            site.children.append(node)
        rest = owner.children[0]
        bare = {one.label.partition("-")[0] for one in (rest, owner)}
        if len(owner.children) == 1 and rest.form is None and len(bare) == 1:
            owner.label, owner.children = rest.label, rest.children


def _line(node: Twin) -> list[Twin]:
    return [node, *_above(node)]


def _above(node: Twin) -> list[Twin]:
    return [] if node.parent is None else _line(node.parent)


def _sites(node: Twin) -> list[Twin]:
    """What a node could attach to, so that words keep their order."""
    parent = node.parent
    if parent is None or parent.children[0] is node:
        return []
    found = []
    site = parent.children[parent.children.index(node) - 1]
    while site.form is None:
        found.append(site)
        site = site.children[-1]
    while parent.parent is not None and parent.children[-1] is node:
        node, parent = parent, parent.parent
        found.append(parent)
    return found


def _edits(root: Twin) -> list[tuple[str, Twin, Twin | None, str]]:
    found: list[tuple[str, Twin, Twin | None, str]] = []
    for node in root.nodes[1:]:
        assert node.parent is not None
        found.append(("relabel", node, None, "XP"))
        sisters = node.parent.children
        found += [
            ("add", node, other, "XP") for other in sisters[sisters.index(node) :]
        ]
        if node.form is None:
            found.append(("drop", node, None, ""))
        for site in _sites(node):
            found.append(("move", node, site, ""))
            if site not in _above(node):
                found.append(("move", node, site, "XP"))
    return found


@given(st.lists(_trees(), min_size=1, max_size=3), dialects(), st.data())
def test_an_edit_is_what_it_says(
    trees: list[Plain], dialect: Dialect, data: st.DataObject
) -> None:
    text = dialect.file(trees).decode("utf-8")
    file = SourceFile("bank.mrg", text, is_plain=True)
    which = data.draw(st.integers(0, len(trees) - 1))
    before = [Twin(dialect.wrapped(tree)) for tree in trees]
    root = before[which]
    action, node, other, label = data.draw(st.sampled_from(_edits(root)))
    nodes = root.nodes
    at = nodes.index(node), -1 if other is None else nodes.index(other)
    bank = read_trees(text.removeprefix(MARK))
    source = file.tree(int(bank.line[which]))
    assert isinstance(source, SourceTree)
    made = splices(source, action, *at, label)
    assert made is not None
    after = spliced(text, made)
    root.edit(action, node, other, label)
    read = [plain(tree) for tree in read_trees(after.removeprefix(MARK))]
    assert read == [[one.plain] for one in before]
    # What is outside of the tree is there, byte for byte.
    first, last = source.nodes[0].start, source.nodes[0].end
    assert after.startswith(text[:first])
    assert after.endswith(text[last:])


def test_a_bracket_stays_above_one_with_another_label() -> None:
    tree = parse("(TOP (S (S (A a)) (B b)))", 0)
    assert isinstance(tree, SourceTree)
    found = [
        spliced(tree.text, splices(tree, "move", 4, 2, label)) for label in ("XP", "S")
    ]
    assert found == ["(TOP (S (XP (S (A a)) (B b))))", "(TOP (S (S (A a)) (B b)))"]
