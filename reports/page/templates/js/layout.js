// -- layout ------------------------------------------------------------------------

const LINE = 16; // between lines of a label
const DROP = 17; // between levels
const GAP = 13; // between neighbours
const MARGIN = 12;
const SIGNS = { gold: "−", parsed: "+" };
const FONTS = {
  label: "600 13px ",
  tag: "400 11px ",
  at: "400 11px ",
  word: "400 14px ",
  fold: "400 12px ",
};
const pen = document.createElement("canvas").getContext("2d");
const measured = new Map();

function widthOf(text, kind) {
  const key = kind + text;
  if (!measured.has(key)) {
    pen.font = FONTS[kind] + getComputedStyle(document.body).fontFamily;
    measured.set(key, Math.ceil(pen.measureText(text).width));
  }
  return measured.get(key);
}

const wordKind = (twig) => (twig.isFolded ? "fold" : "word");

// Each subtree has a block of columns to itself, and a parent stands over the middle
// of its children: nothing overlaps, no line runs through a label. As in
// reports/drawing/outline.py.
function placed(twigs) {
  const widths = twigs.map((twig) => {
    const sign = twig.isMarked ? widthOf(" −", "label") : 0;
    const lines = twig.lines.map((line) => widthOf(line.text, line.kind) + sign);
    if (twig.word !== null) lines.push(widthOf(shown(twig.word), wordKind(twig)));
    return Math.max(8, ...lines);
  });
  const left = [];
  const right = [];
  const offset = [];
  for (let at = twigs.length - 1; at >= 0; at -= 1) {
    left[at] = right[at] = widths[at] / 2;
    const { children } = twigs[at];
    if (!children.length) continue;
    let start = 0;
    for (const child of children) {
      offset[child] = start + left[child];
      start += left[child] + right[child] + GAP;
    }
    const middle = (offset[children[0]] + offset[children[children.length - 1]]) / 2;
    for (const child of children) offset[child] -= middle;
    left[at] = Math.max(left[at], middle);
    right[at] = Math.max(right[at], start - GAP - middle);
  }
  const middles = [];
  let start = 0;
  twigs.forEach((twig, at) => {
    if (twig.parent !== null) {
      middles[at] = middles[twig.parent] + offset[at];
      return;
    }
    middles[at] = start + left[at];
    start += left[at] + right[at] + 2 * GAP;
  });
  return { widths, middles, width: Math.max(0, start - 2 * GAP) };
}

// Levels as high as their tallest label; words and their tags in a row at the bottom.
function layout(twigs) {
  const { widths, middles, width } = placed(twigs);
  const isBottom = (twig) => twig.word !== null && !twig.isFolded;
  const lines = [];
  let tagLines = 0;
  for (const twig of twigs) {
    if (isBottom(twig)) tagLines = Math.max(tagLines, twig.lines.length);
    else lines[twig.level] = Math.max(lines[twig.level] ?? 0, twig.lines.length);
  }
  const tops = [];
  let y = 0;
  for (let level = 0; level < lines.length; level += 1) {
    tops[level] = y;
    y += (lines[level] ?? 0) * LINE + DROP;
  }
  const wordRow = y + tagLines * LINE;
  const boxes = twigs.map((twig, at) => {
    const height = twig.lines.length * LINE;
    const top = isBottom(twig) ? wordRow - height : tops[twig.level];
    return { x: middles[at], top, bottom: top + height, half: widths[at] / 2 };
  });
  return { twigs, boxes, wordRow, width, height: wordRow + LINE + 6 };
}

// -- drawing -------------------------------------------------------------------------

function drawing(plan, { side, head, governor, scale, name }) {
  const { twigs, boxes, wordRow } = plan;
  const mark = side === "gold" ? "missed" : "spurious";
  const paths = { "": "", [mark]: "" };
  const back = [];
  const texts = [];
  twigs.forEach((twig, at) => {
    const { x, top, bottom, half } = boxes[at];
    const kind = twig.isMarked ? mark : "";
    if (twig.parent !== null) paths[kind] += elbow(boxes[twig.parent], boxes[at]);
    if (twig.isFolded) paths[kind] += `M${x} ${bottom + 4}L${x - half} ${wordRow}H${x + half}Z`;
    if (twig.isAsked) back.push(box(x - half - 6, top - 2, 2 * half + 12, bottom - top + 5, "asked"));
    const place = twig.position === null ? "" : { [head]: "here", [governor]: "governor" }[twig.position];
    if (place) back.push(box(x - half - 5, wordRow + 2, 2 * half + 10, LINE + 4, place));
    twig.lines.forEach((line, number) => {
      const isSigned = twig.isMarked && number === twig.lines.length - 1;
      const text = svgElement(
        "text",
        { x, y: top + LINE * (number + 1) - 4, class: `${line.kind} ${kind}`.trim(), "data-text": line.text },
        svgElement("tspan", { class: "name" }, line.text),
      );
      const explanation = explained(line.text.replace(/^@/, ""));
      if (explanation) text.append(svgElement("title", {}, `${line.text}: ${explanation}`));
      if (isSigned) text.append(svgElement("tspan", { class: "sign" }, ` ${SIGNS[side]}`));
      texts.push(text);
    });
    if (twig.word !== null) {
      const isDeleted = twig.position === null && !twig.isFolded;
      const kinds = [wordKind(twig), isDeleted && "deleted", place, twig.hidesMarks && mark]
        .filter(Boolean)
        .join(" ");
      const word = shown(twig.word);
      texts.push(svgElement("text", { x, y: wordRow + LINE - 1, class: kinds, "data-text": word }, word));
    }
  });
  const lines = Object.entries(paths)
    .filter(([, d]) => d)
    .map(([kind, d]) => svgElement("path", { class: kind || null, d }));
  const width = Math.ceil(plan.width + 2 * MARGIN);
  const height = Math.ceil(plan.height + 2 * MARGIN);
  const svg = svgElement(
    "svg",
    {
      role: "img",
      "aria-label": name,
      width: Math.floor(width * scale),
      height: Math.floor(height * scale),
      viewBox: `0 0 ${width} ${height}`,
    },
    svgElement("g", { transform: `translate(${MARGIN} ${MARGIN})` }, ...back, ...lines, ...texts),
  );
  return Object.assign(svg, { twigs }); // what it shows, for copying
}

const box = (x, y, width, height, kind) =>
  svgElement("rect", { x, y, width, height, rx: 5, class: kind });

// From under the parent down, across, round a corner, and down to the child.
function elbow(parent, child) {
  const from = parent.bottom + 3;
  const to = child.top - 1;
  if (Math.abs(child.x - parent.x) < 0.5) return `M${child.x} ${from}V${to}`;
  const bus = from + 7;
  const radius = Math.min(5, Math.abs(child.x - parent.x));
  const before = child.x > parent.x ? child.x - radius : child.x + radius;
  return `M${parent.x} ${from}V${bus}H${before}Q${child.x} ${bus} ${child.x} ${bus + radius}V${to}`;
}

// The tree in brackets: what the drawing says, for those who cannot see it.
function inBrackets(nodes) {
  let text = "";
  const open = [];
  nodes.forEach((node, at) => {
    while (open.length && open[open.length - 1] !== node.parent) {
      open.pop();
      text += ")";
    }
    text += `${text ? " " : ""}(${node.label}`;
    if (node.isLeaf) text += ` ${node.word})`;
    else open.push(at);
  });
  return text + ")".repeat(open.length);
}
