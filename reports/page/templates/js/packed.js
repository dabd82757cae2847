// -- packed trees -------------------------------------------------------------

const LEAF = -2; // in place of a construction, in a node's type

// A tree as nodes in pre-order. Words are counted as they are compared: deleted
// leaves (traces, punctuation) have no position.
function decoded(set, packed, words) {
  const nodes = [];
  const open = [];
  let at = 0;
  const close = (count) => {
    for (; count > 0 && open.length; count -= 1) nodes[open.pop()].last = at;
  };
  for (let i = 0; i < packed.length; i += 1) {
    if (packed[i] < 0) {
      close(-packed[i]);
      continue;
    }
    const [label, construction, third, ...more] = set.types[packed[i] >> 1];
    const isLeaf = construction === LEAF;
    const [isOwn, link] = isLeaf ? more : [0, ...more];
    const node = {
      label: set.texts[label],
      parent: open.length ? open[open.length - 1] : null,
      first: at,
      last: at,
      isMarked: (packed[i] & 1) === 1,
      construction: construction >= 0 ? set.texts[construction] : null,
      link: link === undefined ? null : set.texts[link], // of a discourse unit
      head: construction >= 0 ? at + third : null,
      isLeaf,
      word: null,
    };
    if (node.isLeaf) {
      node.word = set.texts[isOwn ? packed[(i += 1)] : words[at]];
      at += third;
      node.last = at;
    } else {
      open.push(nodes.length);
    }
    nodes.push(node);
  }
  close(open.length);
  return nodes;
}

// The n-th of packed trees that are told by what each changes of the one before.
function unchanged(trees, number) {
  let tree = trees[0];
  for (let at = 1; at <= number; at += 1) {
    const [start, end, ...middle] = trees[at];
    tree = [...tree.slice(0, start), ...middle, ...tree.slice(tree.length - end)];
  }
  return tree;
}

// -- derivation trees -----------------------------------------------------------

// The elementary tree of each compared word, as `analyzer.derivation.spines` has it.
function spinesOf(nodes) {
  const own = new Map(); // head word -> its nodes, top down
  const leaves = [];
  nodes.forEach((node, at) => {
    if (node.construction !== null) grouped(own, node.head).push(at);
    else if (node.link !== null) grouped(own, node.first).push(at);
    for (let word = node.first; node.isLeaf && word < node.last; word += 1) {
      leaves.push([word, at]);
    }
  });
  return leaves.map(([position, leaf]) => {
    const chain = own.get(position) ?? [];
    let above = nodes[chain.length ? chain[0] : leaf].parent;
    while (above !== null && nodes[above].construction === null) above = nodes[above].parent;
    return {
      position,
      word: nodes[leaf].word,
      tag: nodes[leaf].label,
      // Top down.
      constructions: chain.flatMap((at) =>
        [nodes[at].link, nodes[at].construction].filter((name) => name !== null),
      ),
      governor: above === null ? null : nodes[above].head,
      at: above === null ? null : nodes[above].construction,
    };
  });
}

// A chain of hundreds of phrases is no picture either: its middle is left out.
const LONGEST_CHAIN = 30;
const KEPT_AT_EACH_END = 10;

function shortened(chain) {
  if (chain.length <= LONGEST_CHAIN) return chain;
  const hidden = chain.length - 2 * KEPT_AT_EACH_END;
  const gap = `⋯ ${hidden.toLocaleString("en")} more ⋯`;
  return [...chain.slice(0, KEPT_AT_EACH_END), gap, ...chain.slice(-KEPT_AT_EACH_END)];
}

const spineKey = (spine) =>
  JSON.stringify([spine.position, spine.constructions, spine.governor]);
