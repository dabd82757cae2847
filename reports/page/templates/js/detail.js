// -- the error that is shown --------------------------------------------------------------

const WHAT = {
  "head-missed": (c, w) => `Gold projects ${c} for ${w}; the parser does not.`,
  "head-spurious": (c, w) => `The parser projects ${c} for ${w}; gold does not.`,
  span: (c, w) => `Both project ${c} for ${w}, over different words.`,
  "span-right": (c, w) => `Both project ${c} for ${w}, and their right edges differ.`,
  attachment: (c, w) => `Both project ${c} for ${w}, attached to different words.`,
  function: (c, w) => `Both have this bracket around ${w}, with different function tags.`,
};

function opened(set, error) {
  const [number, words, ...packed] = sentenceOf(set, error); // trees of gold, parsed
  const forms = words.map((word) => set.texts[word]);
  const position = field(set, error, POSITION);
  const sides = packed.map((tree, side) => {
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
  return { number, forms, position, sides, edit: editOf(set, error, words) };
}

// The edit that mends an error: its text, and the trees before and after it.
function editOf(set, error, words) {
  const at = set.links.length ? set.links[error] : -1;
  if (at < 0) return null;
  const [steps, trees] = set.edits[field(set, error, SENTENCE)];
  const [told, ...marks] = steps[at];
  const sides = marks.map((marked, side) => {
    const nodes = decoded(set, trees[at + side], words);
    marked.forEach((node) => {
      nodes[node].isMarked = true;
    });
    return { nodes };
  });
  return { told: set.texts[told], count: steps.length, sides };
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
  const word = quoted(it.forms[it.position]);
  byId("error-heading").replaceChildren(
    construction,
    element("span", { class: "of" }, ` of ${word} · ${kindOf(set, error)} · sentence ${it.number}`),
  );
  byId("what").textContent = WHAT[kindOf(set, error)](construction, word);
  renderEdit(set, it);
  byId("link").setAttribute("href", linkTo(set, error));
  byId("words").replaceChildren(...sentence(it));
  byId("sides").replaceChildren(...it.sides.map((side, at) => sideRow(it, side, at)));
  renderTrees(it);
}

// Which edit mends the error, of all those from the parse to gold.
function renderEdit(set, { edit }) {
  const line = byId("mended");
  byId("show-edit").hidden = !edit;
  line.hidden = !set.links.length;
  line.textContent = edit
    ? `Mended by edit ${edit.told.replace(/\. /, ` of ${edit.count}: `)}.`
    : "No edit of brackets mends it: a tag is wrong, or something further down.";
}

// The words, the head marked, both spans underlined, both governors framed.
function sentence({ forms, position, sides }) {
  const names = ["in-gold", "in-parsed"];
  const inside = (at) =>
    names.filter((_, side) => {
      const { node } = sides[side];
      return node !== null && at >= node.first && at < node.last;
    });
  const governors = sides.filter((side) => side.node).map((side) => side.governor);
  // Runs under the same lines are one element, so that a dashed line runs on evenly.
  const runs = [];
  const add = (kinds, node) => {
    const name = kinds.join(" ");
    if (!runs.length || runs[runs.length - 1].className !== name) {
      runs.push(element("span", { class: name }));
    }
    runs[runs.length - 1].append(node);
  };
  forms.forEach((form, at) => {
    const tag = at === position ? "mark" : "bdi";
    const kind = governors.includes(at) ? "governor" : null;
    add(inside(at), element(tag, { dir: "auto", class: kind }, shown(form)));
    add(inside(at).filter((name) => inside(at + 1).includes(name)), " ");
  });
  return runs;
}

const LONGEST_SPAN = 16;

function sideRow({ forms, position }, side, at) {
  const name = at ? "Parsed" : "Gold";
  const spine = side.spines.find((one) => one.position === position);
  const projected = shortened([...spine.constructions].reverse()).join(" · ") || "nothing";
  const governor =
    spine.governor === null ? "ROOT" : `${shown(forms[spine.governor])}, at ${spine.at}`;
  let over = "–";
  let attached = "–";
  if (side.node) {
    const words = forms.slice(side.node.first, side.node.last).map(shown);
    over = words.join(" ");
    if (words.length > LONGEST_SPAN) {
      over = `${words.slice(0, 7).join(" ")} … ${words.slice(-7).join(" ")} (${words.length} words)`;
    }
    attached = side.governor === ROOT ? "ROOT" : "none of its own";
    if (side.governor >= 0) attached = shown(forms[side.governor]);
  }
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, element("span", { class: at ? "key parsed" : "key gold" }), name),
    element("td", { class: "has" }, side.node ? side.node.construction : "– not this"),
    element("td", { class: "over" }, over),
    element("td", { class: "attached" }, attached),
    element("td", {}, projected, element("small", {}, ` → ${governor}`)),
  );
}
