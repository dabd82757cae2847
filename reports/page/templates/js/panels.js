// -- both trees ------------------------------------------------------------------------------

const PANEL = 2; // borders of a panel
const BETWEEN = 16;
const SMALLEST = 0.88; // of the full size, to get both trees side by side

function renderTrees(it) {
  const isEdit = state.view === "edit" && it.edit !== null;
  const isDerivation = state.view === "derivations";
  byId("show-trees").setAttribute("aria-pressed", String(!isDerivation && !isEdit));
  byId("show-derivations").setAttribute("aria-pressed", String(isDerivation));
  byId("show-edit").setAttribute("aria-pressed", String(isEdit));
  byId("gold-title").textContent = isEdit ? "Before the edit" : "Gold";
  byId("parsed-title").textContent = isEdit ? "After the edit" : "Parsed";
  const [gold, parsed] = it.sides;
  const twigs = isEdit
    ? it.edit.sides.map((side) => treeTwigs(side.nodes, -1))
    : isDerivation
    ? [
        derivationTwigs(gold.spines, parsed.spines, it.position),
        derivationTwigs(parsed.spines, gold.spines, it.position),
      ]
    : it.sides.map((side) => treeTwigs(side.nodes, side.asked));
  const marked = twigs.map((side) => side.filter((one) => one.isMarked).length);
  const keep = [it.position, ...it.sides.map((side) => side.governor)].filter((at) => at >= 0);
  const spans = it.sides.flatMap(({ node }) => (node ? [node.first, node.last - 1] : []));
  const focus = [Math.min(...keep, ...spans), Math.max(...keep, ...spans) + 1];

  const frame = byId("trees");
  const room = frame.clientWidth - BETWEEN - 2 * PANEL;
  const needed = (plans) => plans.reduce((sum, plan) => sum + plan.width + 2 * MARGIN, 0);
  const isTooWide = (plans) => needed(plans) * SMALLEST > room;
  let plans = [];
  for (const much of byId("fold").checked ? [NOTHING, AGREEING, ELSEWHERE] : [NOTHING]) {
    plans = twigs.map((side) => layout(folded(side, { keep, focus, much })));
    if (!isTooWide(plans)) break;
  }
  const isBeside = !isTooWide(plans);
  const scale = isBeside ? Math.min(1, room / needed(plans)) : 1;
  frame.classList.toggle("beside", isBeside);
  frame.style.gridTemplateColumns = isBeside
    ? plans.map((plan) => `${Math.ceil(plan.width + 2 * MARGIN)}fr`).join(" ")
    : "";
  if (isBeside) {
    // Words stand level: the shallower tree begins lower.
    const deepest = Math.max(...plans.map((plan) => plan.wordRow));
    plans = plans.map((plan) => lowered(plan, deepest - plan.wordRow));
  }
  const noun = isDerivation ? "spine" : "bracket";
  ["gold", "parsed"].forEach((side, at) => {
    const note = isEdit ? `${counted(marked[at], "node")} marked` : `${counted(marked[at], noun)} only here`;
    byId(`${side}-note`).textContent = note;
    const what = isDerivation ? "derivation tree" : "tree";
    const svg = drawing(plans[at], {
      side,
      head: it.position,
      governor: governorOf(it.sides[isEdit ? 1 - at : at]), // before it is as parsed
      scale,
      name: isEdit
        ? `tree ${at ? "after" : "before"} the edit: ${inBrackets(it.edit.sides[at].nodes)}`
        : `${side} ${what}: ${inBrackets(it.sides[at].nodes)}`,
    });
    const panel = byId(`${side}-tree`);
    panel.replaceChildren(svg);
    const here = plans[at].twigs.findIndex((one) => one.position === it.position);
    if (here >= 0) panel.scrollLeft = plans[at].boxes[here].x + MARGIN - panel.clientWidth / 2;
  });
}

const governorOf = (side) => (side.node ? side.governor : NULL);

// The same drawing with its words lower and its phrases where they are.
function lowered(plan, by) {
  const isBottom = (one) => one.word !== null && !one.isFolded;
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
  redraw();
}
