// -- the error that is shown --------------------------------------------------------------

const [ONE, OTHER] = DATA.sides;
const WORDS = isDiscourse ? "units" : "words";
const WHAT = {
  "head-missed": (c, w) => `${ONE} has ${c} headed by ${w}; ${other()} has not.`,
  "head-spurious": (c, w) => `${other(true)} has ${c} headed by ${w}; ${ONE === "Gold" ? "gold" : ONE} has not.`,
  span: (c, w) => `Both have ${c} headed by ${w}, over different ${WORDS}.`,
  "span-right": (c, w) => `Both have ${c} headed by ${w}, but their right edges differ.`,
  attachment: (c, w) => `Both have ${c} headed by ${w}, attached to different ${WORDS}.`,
  function: (c, w) => `Both have this bracket around ${w}, with different function tags.`,
};

// The other side is a parser, unless two annotators are compared.
function other(isFirst = false) {
  if (ofParsers) return currentSet().name;
  if (OTHER !== "Parsed") return OTHER;
  return isFirst ? "The parser" : "the parser";
}

function opened(set, error) {
  const sentence = sentenceOf(set, error);
  const [, words, gold, parsed] = sentence;
  const forms = words.map((word) => set.texts[word]);
  const position = field(set, error, POSITION);
  const sides = [gold, parsed].map((tree, side) => {
    const nodes = decoded(set, tree, words);
    const asked = field(set, error, NODES + side);
    return {
      nodes,
      spines: spinesOf(nodes),
      asked,
      node: asked < 0 ? null : nodes[asked],
      governor: field(set, error, GOVERNORS + side),
    };
  });
  const others = ofParsers && byId("others").checked ? otherSets(set).map((parser) => otherSide(parser, sentence)) : [];
  return { set, sentence, forms, position, sides, others, edit: editOf(set, error, words), hasEdits: hasEdits(set, error) };
}

// What another parser makes of the sentence; its trees are kept where it errs.
function otherSide(set, sentence) {
  const at = indexOf(set, sentence);
  if (at === undefined) return { name: set.name, nodes: null, known: knowledgeOf(set, sentence) };
  const [, words, , parsed] = set.sentences[at];
  const nodes = decoded(set, parsed, words);
  return { name: set.name, nodes, spines: spinesOf(nodes) };
}

// Whether the edits of an error's sentence are here.
const hasEdits = (set, error) =>
  set.links.length > 0 && set.edits[field(set, error, SENTENCE)].length > 0;

// The edit that mends an error: its text, and the trees before and after it.
function editOf(set, error, words) {
  const at = set.links.length ? set.links[error] : -1;
  if (at < 0) return null;
  const [steps, trees] = set.edits[field(set, error, SENTENCE)];
  const [number, ...marks] = steps[at];
  const sides = marks.map((marked, side) => {
    const nodes = decoded(set, unchanged(trees, at + side), words);
    marked.forEach((node) => {
      nodes[node].isMarked = true;
    });
    return { nodes };
  });
  return { text: set.texts[number], count: steps.length, sides };
}

// A word in quotes, or the number of a unit.
const leafName = (forms, at) => (isDiscourse ? `unit ${at + 1}` : quoted(forms[at]));

const LONGEST_UNIT = 60; // characters, where it is only named

function cut(text, most) {
  return text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text;
}

// A word as it is; of a unit its number and how it begins.
function leafText(forms, at) {
  if (!isDiscourse) return shown(forms[at]);
  return `${at + 1} ${cut(shown(forms[at]), LONGEST_UNIT)}`;
}

function renderError() {
  const set = currentSet();
  const count = state.chosen.length;
  byId("counter").textContent = count
    ? `${(state.at + 1).toLocaleString("en")} of ${count.toLocaleString("en")}`
    : "none";
  byId("previous").disabled = state.at <= 0;
  byId("next").disabled = state.at >= count - 1;
  if (!count) return;
  const error = state.chosen[state.at];
  const it = opened(set, error);
  const construction = constructionOf(set, error);
  const kind = kindOf(set, error);
  const word = leafName(it.forms, it.position);
  byId("error-heading").replaceChildren(
    element("a", { href: linkTo(set, { construction }), "data-hint": explained(construction) }, construction),
    element(
      "span",
      { class: "of" },
      ` of ${word} · `,
      element("a", { href: linkTo(set, { kind }) }, kindName(kind)),
      " · ",
      element("a", { href: linkTo(set, { filter: `#${placeKey(it.sentence)}` }) }, treeName(it.sentence)),
    ),
  );
  const loss = lossOf(set, error);
  const lost = loss ? ` Lost to ${loss}: ${DATA.losses[loss]}.` : "";
  byId("what").textContent = WHAT[kind](construction, word) + lost + sharedText(set, error);
  const explanation = explained(construction);
  byId("explained").hidden = !explanation;
  byId("explained").textContent = `${construction}: ${explanation}`;
  renderEdit(set, it, typeOf(set, error));
  byId("link").setAttribute("href", linkToShown());
  byId("words").replaceChildren(...sentenceRuns(it));
  byId("sides").replaceChildren(...it.sides.map((side, at) => sideRow(it, side, at)));
  renderTrees(it);
}

// Whether the other parsers make the same error.
function sharedText(set, error) {
  if (!ofParsers) return "";
  const also = alsoMadeBy(set, error).map((parser) => parser.name);
  const others = otherSets(set).filter((parser) => !also.includes(parser.name));
  const sentence = sentenceOf(set, error);
  const named = (known) => others.filter((parser) => knowledgeOf(parser, sentence) === known).map((parser) => parser.name);
  const [rest, leftOut, unknown] = [KNOWN, LEFT_OUT, CUT].map(named);
  const make = (names) => (names.length > 1 ? "make" : "makes");
  const sentences = [];
  if (also.length) sentences.push(`${also.join(", ")} ${make(also)} the same error.`);
  if (rest.length) sentences.push(`${rest.join(", ")} ${rest.length > 1 ? "do" : "does"} not make this error.`);
  if (leftOut.length) sentences.push(`${leftOut.join(", ")} ${leftOut.length > 1 ? "were" : "was"} not compared in this ${DATA.tree}.`);
  if (unknown.length) sentences.push(`This page does not have all errors of this ${DATA.tree}, so it cannot tell whether ${unknown.join(", ")} ${make(unknown)} this error.`);
  return ` ${sentences.join(" ")}`;
}

// Which edit corrects the error, of all those from the parse to gold.
function renderEdit(set, { edit, hasEdits }, type) {
  const line = byId("mended");
  byId("show-edit").hidden = !edit;
  line.hidden = !set.links.length;
  if (edit) {
    const [number, rest] = edit.text.split(`. ${type}`, 2);
    const link = element("a", { href: linkTo(set, { type }), "data-hint": explained(type) }, type);
    line.replaceChildren(`Corrected by edit ${number} of ${edit.count}: `, link, `${rest}.`);
  } else if (hasEdits) line.textContent = "No edit of brackets corrects it: a tag is wrong, or something further down.";
  else line.textContent = `The edits of this ${DATA.tree} are not on this page: there are too many to draw them, or too many to try.`;
}

const AROUND = 2; // units on either side of one in question

// The words that are shown: all of a sentence; of a document the units around those
// in question, at both ends of their spans, and around what they are attached to.
function inSight({ forms, position, sides }) {
  if (!isDiscourse) return forms.map(() => true);
  const seen = forms.map(() => false);
  const show = (at, around) => {
    const end = Math.min(forms.length - 1, at + around);
    for (let unit = Math.max(0, at - around); unit <= end; unit += 1) seen[unit] = true;
  };
  show(position, AROUND);
  for (const { node, governor } of sides) {
    if (!node) continue;
    show(node.first, 1);
    show(node.last - 1, 1);
    if (governor >= 0) show(governor, 0);
  }
  return seen;
}

// The words, the head marked, both spans underlined, both governors framed.
function sentenceRuns(it) {
  const { forms, position, sides } = it;
  const names = ["in-gold", "in-parsed"];
  const inside = (at) =>
    names.filter((_, side) => {
      const { node } = sides[side];
      return node !== null && at >= node.first && at < node.last;
    });
  const governors = sides.filter((side) => side.node).map((side) => side.governor);
  const seen = inSight(it);
  // Runs under the same lines are one element, so that a dashed line runs on evenly.
  const runs = [];
  const add = (kinds, node) => {
    const name = kinds.join(" ");
    if (!runs.length || runs[runs.length - 1].className !== name) {
      runs.push(element("span", { class: name }));
    }
    runs[runs.length - 1].append(node);
  };
  for (let at = 0; at < forms.length; at += 1) {
    if (!seen[at] && at + 1 < forms.length && !seen[at + 1]) {
      const start = at;
      while (at + 1 < forms.length && !seen[at + 1]) at += 1;
      const hidden = counted(at - start + 1, "unit");
      const all = inside(start).filter((name) => inside(at).includes(name));
      add(all, element("span", { class: "gap" }, ` ⋯ ${hidden} ⋯ `));
      continue;
    }
    const tag = at === position ? "mark" : "bdi";
    const kind = governors.includes(at) ? "governor" : null;
    if (isDiscourse) add(inside(at), element("sup", {}, `${at + 1} `));
    add(inside(at), element(tag, { dir: "auto", class: kind }, shown(forms[at])));
    add(inside(at).filter((name) => inside(at + 1).includes(name)), " ");
  }
  return runs;
}

const LONGEST_SPAN = 16;

// The words that a construction is over, those in the middle of a long one left out.
function spanText(forms, { first, last }) {
  if (isDiscourse) {
    const ends = last - first > 1 ? [first, last - 1] : [first];
    const numbers = ends.map((at) => at + 1).join("–");
    const texts = ends.map((at) => cut(shown(forms[at]), LONGEST_UNIT));
    return `unit${ends.length > 1 ? "s" : ""} ${numbers}: ${texts.join(" … ")}`;
  }
  const words = forms.slice(first, last).map(shown);
  if (words.length <= LONGEST_SPAN) return words.join(" ");
  return `${words.slice(0, 7).join(" ")} … ${words.slice(-7).join(" ")} (${words.length} words)`;
}

function sideRow({ forms, position }, side, at) {
  const spine = side.spines.find((item) => item.position === position);
  const projected = shortened([...spine.constructions].reverse());
  const name = (at) => (isDiscourse ? leafName(forms, at) : shown(forms[at]));
  const governor = spine.governor === null ? "ROOT" : `${name(spine.governor)}, at ${spine.at}`;
  let over = "–";
  let attached = "–";
  if (side.node) {
    over = spanText(forms, side.node);
    attached = side.governor === ROOT ? "ROOT" : "no word: it is inside a larger construction of the same word";
    if (side.governor >= 0) attached = leafText(forms, side.governor);
  }
  const names = projected.flatMap((name, number) => [
    number ? " · " : "",
    element("span", { title: explained(name) }, name),
  ]);
  const has = side.node ? constructionOf(currentSet(), state.chosen[state.at]) : "– not this";
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, element("span", { class: at ? "key parsed" : "key gold" }), at && ofParsers ? currentSet().name : DATA.sides[at]),
    element("td", { class: "has" }, has),
    element("td", { class: "over" }, over),
    element("td", { class: "attached" }, attached),
    element("td", {}, ...(names.length ? names : ["nothing"]), element("small", {}, ` → ${governor}`)),
  );
}
