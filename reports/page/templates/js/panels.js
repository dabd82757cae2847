// -- the trees of an error ---------------------------------------------------------------------

const PANEL = 2; // borders of a panel
const BETWEEN = 16;
// How much is folded, and the smallest scale, of the full size.
const WHOLE = { steps: [NOTHING, AGREEING, ELSEWHERE], smallest: 0.88 };
const BRIEF = { steps: [AROUND_THEM], smallest: 0.75 }; // to have several parsers side by side
const SMALL = { steps: [ELSEWHERE, AROUND_THEM], smallest: 0.62 }; // before they have to scroll

// What is drawn: each a title, twigs, the nodes in brackets, and whose side it is.
function panelsOf(it) {
  const isDerivation = state.view === "derivations";
  const [gold, parsed] = it.sides;
  if (state.view === "edit" && it.edit !== null) {
    return it.edit.sides.map((side, at) => ({
      key: at ? "parsed" : "gold",
      side: at ? "parsed" : "gold",
      title: `${at ? "After" : "Before"} the edit`,
      label: `tree ${at ? "after" : "before"} the edit`,
      twigs: treeTwigs(side.nodes, -1),
      nodes: side.nodes,
      governor: governorOf(it.sides[1 - at]), // before it is as parsed
    }));
  }
  const panel = (key, side, title, of, governor, asked) => ({
    key,
    side,
    title,
    label: `${side} ${isDerivation ? "derivation tree" : "tree"}`,
    twigs: isDerivation
      ? derivationTwigs(of.spines, (side === "gold" ? parsed : gold).spines, it.position)
      : treeTwigs(of.nodes, asked),
    nodes: of.nodes,
    governor,
  });
  const parser = ofParsers ? it.set.name : DATA.sides[1];
  const shownPanels = [
    panel("gold", "gold", DATA.sides[0], gold, governorOf(gold), gold.asked),
    panel("parsed", "parsed", parser, parsed, governorOf(parsed), parsed.asked),
  ];
  it.others.forEach((other, at) => {
    if (other.nodes === null) return;
    shownPanels.push(panel(`other-${at + 1}`, "parsed", other.name, other, NULL, -1));
  });
  return shownPanels;
}

// The panels of other parsers come and go with the sentence.
function figureOf({ key, title }) {
  const known = byId(`${key}-tree`);
  if (known) return known.closest("figure");
  const figure = element(
    "figure",
    {},
    element("figcaption", {}, element("span", { id: `${key}-title` }), " ", element("span", { id: `${key}-note` })),
    element("div", { class: "tree", id: `${key}-tree`, tabindex: "0", role: "region", "aria-label": `Tree of ${title}` }),
  );
  byId("trees").append(figure);
  return figure;
}

// As little folded as it takes for trees to fit in so many columns. A column is as wide
// as its widest tree, and all trees are drawn to one scale. If they do not fit, they
// are as wide as they are.
function planned(planOf, count, { steps, smallest }) {
  const room = byId("trees").clientWidth - (count - 1) * BETWEEN - count * PANEL;
  let arrangement = null;
  for (const much of byId("fold").checked ? steps : [NOTHING]) {
    const plans = planOf(much);
    const widths = Array(count).fill(0);
    plans.forEach((plan, at) => {
      widths[at % count] = Math.max(widths[at % count], plan.width + 2 * MARGIN);
    });
    const scale = room / widths.reduce((sum, width) => sum + width, 0);
    arrangement = { plans, widths, scale: scale < smallest ? 1 : Math.min(1, scale), isFitting: scale >= smallest };
    if (arrangement.isFitting) break;
  }
  return arrangement;
}

// All in a row, in two columns, or one above the other: the first that fits.
function arranged(panels, it) {
  const keep = [it.position, ...it.sides.map((side) => side.governor)].filter((at) => at >= 0);
  const spans = it.sides.flatMap(({ node }) => (node ? [node.first, node.last - 1] : []));
  const focus = [Math.min(...keep, ...spans), Math.max(...keep, ...spans) + 1];
  const known = new Map(); // how much is folded -> the trees, laid out
  const planOf = (much) => {
    if (!known.has(much)) known.set(much, panels.map(({ twigs }) => layout(folded(twigs, { keep, focus, much }))));
    return known.get(much);
  };
  const row = panels.length;
  const tries = row > 2 ? [[row, WHOLE], [2, WHOLE], [row, BRIEF], [1, WHOLE], [2, BRIEF], [1, SMALL]] : [[row, WHOLE], [1, WHOLE], [1, SMALL]];
  let arrangement = null;
  for (const [count, how] of tries) {
    arrangement = planned(planOf, count, how);
    if (arrangement.isFitting) break;
  }
  return arrangement;
}

function renderTrees(it) {
  const isEdit = state.view === "edit" && it.edit !== null;
  const isDerivation = state.view === "derivations";
  byId("show-trees").setAttribute("aria-pressed", String(!isDerivation && !isEdit));
  byId("show-derivations").setAttribute("aria-pressed", String(isDerivation));
  byId("show-edit").setAttribute("aria-pressed", String(isEdit));
  for (const meaning of all(".legend .of-trees")) meaning.hidden = isEdit;
  for (const meaning of all(".legend .of-edit")) meaning.hidden = !isEdit;
  const panels = panelsOf(it);
  const figures = panels.map(figureOf);
  for (const figure of all("#trees figure")) figure.hidden = !figures.includes(figure);

  const arrangement = arranged(panels, it);
  const { widths, scale } = arrangement;
  const columns = widths.length;
  const frame = byId("trees");
  frame.classList.toggle("beside", columns > 1);
  frame.style.gridTemplateColumns =
    columns > 1 ? widths.map((width) => `minmax(0, ${Math.ceil(width)}fr)`).join(" ") : "";
  // Words of trees beside each other stand level: the shallower tree begins lower.
  const plans = arrangement.plans.map((plan, at) => {
    const start = at - (at % columns);
    const beside = arrangement.plans.slice(start, start + columns);
    return lowered(plan, Math.max(...beside.map((other) => other.wordRow)) - plan.wordRow);
  });
  const noun = isDerivation ? "spine" : "bracket";
  panels.forEach((shownPanel, at) => {
    const marked = shownPanel.twigs.filter((twig) => twig.isMarked).length;
    byId(`${shownPanel.key}-title`).textContent = shownPanel.title;
    byId(`${shownPanel.key}-note`).textContent = isEdit
      ? `${counted(marked, "node")} marked`
      : `${counted(marked, noun)} only here`;
    const svg = drawing(plans[at], {
      side: shownPanel.side,
      head: it.position,
      governor: shownPanel.governor,
      scale,
      name: `${shownPanel.label}: ${inBrackets(shownPanel.nodes)}`,
    });
    const panel = byId(`${shownPanel.key}-tree`);
    panel.replaceChildren(svg);
    const here = plans[at].twigs.findIndex((twig) => twig.position === it.position);
    if (here >= 0) panel.scrollLeft = (plans[at].boxes[here].x + MARGIN) * scale - panel.clientWidth / 2;
  });
  renderRight(it);
}

// Parsers whose trees are not drawn, since they have no error there.
function renderRight(it) {
  const named = (known) =>
    it.others.filter((other) => other.nodes === null && other.known === known).map((other) => other.name).join(", ");
  const [right, leftOut, unknown] = [KNOWN, LEFT_OUT, CUT].map(named);
  byId("right").hidden = !right && !leftOut && !unknown;
  byId("right").textContent = [
    right && `No error in this ${DATA.tree}: ${right}.`,
    leftOut && `Not compared in this ${DATA.tree}: ${leftOut}.`,
    unknown && `Not on this page: the errors of ${unknown} in this ${DATA.tree}.`,
  ].filter(Boolean).join(" ");
}

const governorOf = (side) => (side.node ? side.governor : NULL);

// The same drawing with its words lower and its phrases where they are.
function lowered(plan, by) {
  const isBottom = (twig) => twig.word !== null && !twig.isFolded;
  const boxes = plan.boxes.map((it, at) =>
    isBottom(plan.twigs[at]) ? { ...it, top: it.top + by, bottom: it.bottom + by } : it,
  );
  return { ...plan, boxes, wordRow: plan.wordRow + by, height: plan.height + by };
}

function redraw() {
  if (currentSet() && state.chosen.length) {
    renderTrees(opened(currentSet(), state.chosen[state.at]));
  }
}

function setView(view) {
  state.view = view;
  go(state.at, true);
}
