// -- what is drawn: twigs -----------------------------------------------------------

// A twig has lines of text; a leaf also a word, which stands in the bottom row.
const twig = (parent, lines, more = {}) => ({
  parent,
  lines,
  level: 0,
  children: [],
  word: null,
  position: null,
  isMarked: false,
  isAsked: false,
  ...more,
});

function linked(twigs) {
  twigs.forEach((twig, at) => {
    if (twig.parent === null) return;
    twig.level = twigs[twig.parent].level + 1;
    twigs[twig.parent].children.push(at);
  });
  return twigs;
}

const DRAWN_UNIT = 26; // characters of a discourse unit in a drawing

// A word; of a discourse unit its number and how it begins.
function drawnWord(word, at) {
  if (word === null || DATA.leaf === "word") return word;
  return `${at + 1} ${word.length > DRAWN_UNIT ? `${word.slice(0, DRAWN_UNIT - 1).trimEnd()}…` : word}`;
}

function treeTwigs(nodes, asked) {
  return linked(
    nodes.map((node, at) =>
      twig(
        node.parent,
        [{ text: shown(node.label), kind: node.isLeaf ? "tag" : "label" }],
        {
          word: node.isLeaf ? drawnWord(node.word, node.first) : null,
          position: node.isLeaf && node.first < node.last ? node.first : null,
          isMarked: node.isMarked,
          isAsked: at === asked,
        },
      ),
    ),
  );
}

// A spine is a twig: what it attaches to, then its constructions, top down. Its word
// stands among the spines that attach to it, in the order of the sentence.
function derivationTwigs(spines, others, asked) {
  const known = new Set(others.map(spineKey));
  const dependents = new Map();
  for (const spine of spines) grouped(dependents, spine.governor).push(spine);
  const twigs = [];
  const pending = (dependents.get(null) ?? []).map((spine) => [spine, null, true]).reverse();
  while (pending.length) {
    const [spine, parent, isWhole] = pending.pop();
    const attached = isWhole && spine.at !== null;
    const lines = attached ? [{ text: `@${spine.at}`, kind: "at" }] : [];
    const isMarked = isWhole && !known.has(spineKey(spine));
    if (!isWhole || !spine.constructions.length) {
      lines.push({ text: shown(spine.tag), kind: "tag" });
      const { position } = spine;
      const word = drawnWord(spine.word, position);
      twigs.push(twig(parent, lines, { word, position, isMarked }));
      continue;
    }
    lines.push(...shortened(spine.constructions).map((text) => ({ text, kind: "label" })));
    const isAsked = spine.position === asked;
    const here = twigs.push(twig(parent, lines, { isMarked, isAsked })) - 1;
    const inner = (dependents.get(spine.position) ?? []).map((dependent) => [dependent, here, true]);
    inner.push([spine, here, false]);
    inner.sort(([a], [b]) => b.position - a.position);
    pending.push(...inner);
  }
  return linked(twigs);
}

// -- folding ------------------------------------------------------------------------

const DEEPEST = 60; // levels: a chain of a thousand phrases is no picture
const WORDS_WORTH_FOLDING = 3;

// How much may be folded: nothing, phrases in which nothing differs, all that lies
// outside the words of interest, or all but the way to the words in question: then what
// stands side by side is folded together.
const NOTHING = 0, AGREEING = 1, ELSEWHERE = 2, AROUND_THEM = 3;

// `keep` are words that stay, `focus` the stretch of words that is of interest. The
// text of a folded twig says how many differences it hides.
function folded(twigs, { keep, focus, much }) {
  const ends = twigs.map((_, at) => at + 1); // where each one's subtree ends
  const first = twigs.map((twig) => twig.position ?? Infinity);
  const last = twigs.map((twig) => twig.position ?? -Infinity);
  const marks = twigs.map((twig) => (twig.isMarked ? 1 : 0));
  const matters = twigs.map((twig) => twig.isAsked || keep.includes(twig.position));
  for (let at = twigs.length - 1; at >= 0; at -= 1) {
    const isNear = first[at] < focus[1] && last[at] >= focus[0];
    const isShown = much < ELSEWHERE || (much === ELSEWHERE && isNear);
    matters[at] ||= twigs[at].isMarked && isShown;
    const { parent } = twigs[at];
    if (parent === null) continue;
    matters[parent] ||= matters[at];
    ends[parent] = Math.max(ends[parent], ends[at]);
    first[parent] = Math.min(first[parent], first[at]);
    last[parent] = Math.max(last[parent], last[at]);
    marks[parent] += marks[at];
  }
  const kept = [];
  const now = new Map();
  for (let at = 0; at < twigs.length; at += 1) {
    const twig = twigs[at];
    const isDeepest = twig.level >= DEEPEST;
    let isFolded = twig.children.length > 0 && (isDeepest || (much > NOTHING && !matters[at]));
    let end = ends[at];
    let hidden = marks[at] - (twig.isMarked ? 1 : 0);
    if (much === AROUND_THEM && !matters[at]) {
      while (end < twigs.length && twigs[end].parent === twig.parent && !matters[end]) {
        hidden += marks[end];
        end = ends[end];
      }
    }
    const isRun = end > ends[at];
    const words = isFolded || isRun
      ? twigs.slice(at, end).filter((inner) => inner.position !== null)
      : [];
    isFolded = isRun ? words.length >= WORDS_WORTH_FOLDING : isFolded && (isDeepest || words.length >= WORDS_WORTH_FOLDING);
    if (!isFolded) end = ends[at];
    else if (isRun) hidden += twig.isMarked ? 1 : 0;
    now.set(at, kept.length);
    kept.push({
      ...twig,
      parent: twig.parent === null ? null : now.get(twig.parent),
      children: [],
      ...(isFolded && isRun && { lines: [{ text: "…", kind: "tag" }], isMarked: false }),
      isFolded,
      hidesMarks: isFolded && hidden > 0,
      word: isFolded ? summary(words, hidden) : twig.word,
    });
    if (isFolded) at = end - 1;
  }
  return linked(kept);
}

function summary(leaves, hidden) {
  const words = leaves.map((leaf) => shown(leaf.word));
  let text = words.length <= 4 ? words.join(" ") : `${words[0]} ${words[1]} … ${words[words.length - 1]}`;
  if (DATA.leaf !== "word") text = `${leaves[0].position + 1}–${leaves[leaves.length - 1].position + 1}`;
  return hidden ? `${text} (${hidden} inside)` : text;
}
