"use strict";
// The page's behaviour, by concern: helpers, tables, packed trees, derivation trees,
// layout, drawing, errors and links, the list, the detail, keys.
// Words and labels come from treebanks: they are only ever set as text.
(() => {
  const DATA = JSON.parse(document.getElementById("data").textContent);

  // -- helpers ------------------------------------------------------------------

  const byId = (id) => document.getElementById(id);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  function filled(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null && value !== undefined) node.setAttribute(name, value);
    }
    node.append(...children.filter((child) => child !== null)); // strings become text
    return node;
  }
  const element = (tag, attributes = {}, ...children) =>
    filled(document.createElement(tag), attributes, children);
  const svgElement = (tag, attributes = {}, ...children) =>
    filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

  const counted = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
  const shown = (text) => (text.trim() ? text : "∅");
  const quoted = (word) => `“${shown(word)}”`;

  function grouped(groups, key) {
    if (!groups.has(key)) groups.set(key, []);
    return groups.get(key);
  }

  function later(milliseconds, action) {
    let timer = 0;
    return () => {
      clearTimeout(timer);
      timer = setTimeout(action, milliseconds);
    };
  }

  // -- light and dark -------------------------------------------------------------

  const THEME = "spinal-theme";
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");

  // A page opened as a file may not be allowed to keep anything.
  function remembered(value) {
    try {
      if (value) localStorage.setItem(THEME, value);
      return localStorage.getItem(THEME);
    } catch {
      return value ?? null;
    }
  }

  function isDark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : prefersDark.matches;
  }

  function setUpTheme() {
    const button = byId("theme");
    const name = () => {
      button.textContent = isDark() ? "Light" : "Dark";
      button.setAttribute("aria-label", `Switch to ${isDark() ? "light" : "dark"} colours`);
    };
    const before = remembered();
    if (before === "light" || before === "dark") {
      document.documentElement.dataset.theme = before;
    }
    button.addEventListener("click", () => {
      document.documentElement.dataset.theme = isDark() ? "light" : "dark";
      remembered(document.documentElement.dataset.theme);
      name();
    });
    prefersDark.addEventListener("change", name);
    name();
  }

  // -- tables: sorting and filtering -----------------------------------------------

  const ROWS_WORTH_A_FILTER = 8;

  function setUpTable(block) {
    const table = block.querySelector("table");
    const body = table.tBodies[0];
    const original = [...body.rows];
    const heads = [...table.tHead.rows[0].cells];

    function sort(column, direction) {
      heads.forEach((head, at) =>
        head.setAttribute("aria-sort", at === column ? direction : "none"),
      );
      if (direction === "none") {
        body.append(...original);
        return;
      }
      const sign = direction === "ascending" ? 1 : -1;
      const isNumber = heads[column].dataset.unit !== "text";
      const value = (row) => {
        const cell = row.cells[column];
        if (!isNumber) return cell.textContent;
        return cell.dataset.value === undefined ? null : Number(cell.dataset.value);
      };
      const keyed = original.map((row) => [value(row), row]);
      keyed.sort(([a], [b]) => {
        if (a === null || b === null) return (a === null) - (b === null); // none: last
        return sign * (isNumber ? a - b : a.localeCompare(b, "en", { numeric: true }));
      });
      body.append(...keyed.map(([, row]) => row));
    }

    heads.forEach((head, column) => {
      const button = element("button", { type: "button" }, head.textContent);
      head.replaceChildren(button);
      head.setAttribute("aria-sort", "none");
      const first = head.dataset.unit === "text" ? "ascending" : "descending";
      const second = first === "ascending" ? "descending" : "ascending";
      const next = { none: first, [first]: second, [second]: "none" };
      button.addEventListener("click", () =>
        sort(column, next[head.getAttribute("aria-sort")]),
      );
    });

    if (original.length < ROWS_WORTH_A_FILTER) return;
    const input = element("input", {
      type: "search",
      placeholder: "filter rows",
      "aria-label": `Filter: ${table.caption ? table.caption.textContent : "table"}`,
      "data-filter": "",
      spellcheck: "false",
    });
    const count = element("output", {}, counted(original.length, "row"));
    input.addEventListener("input", () => {
      const wanted = input.value.trim().toLowerCase();
      let left = 0;
      for (const row of original) {
        row.hidden = !row.textContent.toLowerCase().includes(wanted);
        left += row.hidden ? 0 : 1;
      }
      count.textContent = wanted
        ? `${left.toLocaleString("en")} of ${counted(original.length, "row")}`
        : counted(original.length, "row");
    });
    block.prepend(element("div", { class: "table-tools" }, input, count));
  }

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
      const [label, construction, third, isOwn] = set.types[packed[i] >> 1];
      const node = {
        label: set.texts[label],
        parent: open.length ? open[open.length - 1] : null,
        first: at,
        last: at,
        isMarked: (packed[i] & 1) === 1,
        construction: construction >= 0 ? set.texts[construction] : null,
        head: construction >= 0 ? at + third : null,
        isLeaf: construction === LEAF,
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

  // -- derivation trees -----------------------------------------------------------

  // The elementary tree of each compared word, as `analyzer.spines` has it.
  function spinesOf(nodes) {
    const own = new Map(); // head word -> its nodes, top down
    const leaves = [];
    nodes.forEach((node, at) => {
      if (node.construction !== null) grouped(own, node.head).push(at);
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
        constructions: chain.map((at) => nodes[at].construction), // top down
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
    twigs.forEach((one, at) => {
      if (one.parent === null) return;
      one.level = twigs[one.parent].level + 1;
      twigs[one.parent].children.push(at);
    });
    return twigs;
  }

  function treeTwigs(nodes, asked) {
    return linked(
      nodes.map((node, at) =>
        twig(
          node.parent,
          [{ text: shown(node.label), kind: node.isLeaf ? "tag" : "label" }],
          {
            word: node.word,
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
        const { word, position } = spine;
        twigs.push(twig(parent, lines, { word, position, isMarked }));
        continue;
      }
      lines.push(...shortened(spine.constructions).map((text) => ({ text, kind: "label" })));
      const isAsked = spine.position === asked;
      const here = twigs.push(twig(parent, lines, { isMarked, isAsked })) - 1;
      const inner = (dependents.get(spine.position) ?? []).map((one) => [one, here, true]);
      inner.push([spine, here, false]);
      inner.sort(([a], [b]) => b.position - a.position);
      pending.push(...inner);
    }
    return linked(twigs);
  }

  // -- folding ------------------------------------------------------------------------

  const DEEPEST = 60; // levels: a chain of a thousand phrases is no picture
  const WORDS_WORTH_FOLDING = 3;

  // How much may be folded: nothing, phrases in which nothing differs, or all that lies
  // outside the words of interest.
  const NOTHING = 0, AGREEING = 1, ELSEWHERE = 2;

  // `keep` are words that stay, `focus` the stretch of words that is of interest. The
  // text of a folded twig says how many differences it hides.
  function folded(twigs, { keep, focus, much }) {
    const ends = twigs.map((_, at) => at + 1); // where each one's subtree ends
    const first = twigs.map((one) => one.position ?? Infinity);
    const last = twigs.map((one) => one.position ?? -Infinity);
    const marks = twigs.map((one) => (one.isMarked ? 1 : 0));
    const matters = twigs.map((one) => one.isAsked || keep.includes(one.position));
    for (let at = twigs.length - 1; at >= 0; at -= 1) {
      const isNear = first[at] < focus[1] && last[at] >= focus[0];
      matters[at] ||= twigs[at].isMarked && (much < ELSEWHERE || isNear);
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
      const one = twigs[at];
      const isDeepest = one.level >= DEEPEST;
      let isFolded = one.children.length > 0 && (isDeepest || (much > NOTHING && !matters[at]));
      const words = isFolded
        ? twigs.slice(at, ends[at]).filter((inner) => inner.position !== null)
        : [];
      isFolded &&= isDeepest || words.length >= WORDS_WORTH_FOLDING;
      const hidden = marks[at] - (one.isMarked ? 1 : 0);
      now.set(at, kept.length);
      kept.push({
        ...one,
        parent: one.parent === null ? null : now.get(one.parent),
        children: [],
        isFolded,
        hidesMarks: isFolded && hidden > 0,
        word: isFolded ? summary(words, hidden) : one.word,
      });
      if (isFolded) at = ends[at] - 1;
    }
    return linked(kept);
  }

  function summary(leaves, hidden) {
    const words = leaves.map((leaf) => shown(leaf.word));
    const text =
      words.length <= 4 ? words.join(" ") : `${words[0]} ${words[1]} … ${words[words.length - 1]}`;
    return hidden ? `${text} (${hidden} inside)` : text;
  }

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

  const wordKind = (one) => (one.isFolded ? "fold" : "word");

  // Each subtree has a block of columns to itself, and a parent stands over the middle
  // of its children: nothing overlaps, no line runs through a label. As in
  // reports/tree_layout.py.
  function placed(twigs) {
    const widths = twigs.map((one) => {
      const sign = one.isMarked ? widthOf(" −", "label") : 0;
      const lines = one.lines.map((line) => widthOf(line.text, line.kind) + sign);
      if (one.word !== null) lines.push(widthOf(shown(one.word), wordKind(one)));
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
    twigs.forEach((one, at) => {
      if (one.parent !== null) {
        middles[at] = middles[one.parent] + offset[at];
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
    const isBottom = (one) => one.word !== null && !one.isFolded;
    const lines = [];
    let tagLines = 0;
    for (const one of twigs) {
      if (isBottom(one)) tagLines = Math.max(tagLines, one.lines.length);
      else lines[one.level] = Math.max(lines[one.level] ?? 0, one.lines.length);
    }
    const tops = [];
    let y = 0;
    for (let level = 0; level < lines.length; level += 1) {
      tops[level] = y;
      y += (lines[level] ?? 0) * LINE + DROP;
    }
    const wordRow = y + tagLines * LINE;
    const boxes = twigs.map((one, at) => {
      const height = one.lines.length * LINE;
      const top = isBottom(one) ? wordRow - height : tops[one.level];
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
    twigs.forEach((one, at) => {
      const { x, top, bottom, half } = boxes[at];
      const kind = one.isMarked ? mark : "";
      if (one.parent !== null) paths[kind] += elbow(boxes[one.parent], boxes[at]);
      if (one.isFolded) paths[kind] += `M${x} ${bottom + 4}L${x - half} ${wordRow}H${x + half}Z`;
      if (one.isAsked) back.push(box(x - half - 6, top - 2, 2 * half + 12, bottom - top + 5, "asked"));
      const place = one.position === null ? "" : { [head]: "here", [governor]: "governor" }[one.position];
      if (place) back.push(box(x - half - 5, wordRow + 2, 2 * half + 10, LINE + 4, place));
      one.lines.forEach((line, number) => {
        const isSigned = one.isMarked && number === one.lines.length - 1;
        const text = svgElement(
          "text",
          { x, y: top + LINE * (number + 1) - 4, class: `${line.kind} ${kind}`.trim(), "data-text": line.text },
          svgElement("tspan", { class: "name" }, line.text),
        );
        if (isSigned) text.append(svgElement("tspan", { class: "sign" }, ` ${SIGNS[side]}`));
        texts.push(text);
      });
      if (one.word !== null) {
        const isDeleted = one.position === null && !one.isFolded;
        const kinds = [wordKind(one), isDeleted && "deleted", place, one.hidesMarks && mark]
          .filter(Boolean)
          .join(" ");
        const word = shown(one.word);
        texts.push(svgElement("text", { x, y: wordRow + LINE - 1, class: kinds, "data-text": word }, word));
      }
    });
    const lines = Object.entries(paths)
      .filter(([, d]) => d)
      .map(([kind, d]) => svgElement("path", { class: kind || null, d }));
    const width = Math.ceil(plan.width + 2 * MARGIN);
    const height = Math.ceil(plan.height + 2 * MARGIN);
    return svgElement(
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

  // -- errors and links to them ---------------------------------------------------------

  const ANY = "*";
  const STRIDE = 8;
  const SENTENCE = 0, KIND = 1, CONSTRUCTION = 2, POSITION = 3, NODES = 4, GOVERNORS = 6;
  const NULL = -1, ROOT = -2;
  // A right edge that differs is a span that differs: "all kinds" counts it once.
  const SPAN_RIGHT = DATA.kinds.indexOf("span-right");

  const sets = new Map(DATA.errors.map((set) => [set.name, set]));
  const state = {
    dataset: 0,
    construction: ANY,
    kind: ANY,
    filter: "",
    chosen: [], // the errors that fit
    at: 0, // which of them is shown
    view: "trees",
  };
  const currentSet = () => sets.get(DATA.datasets[state.dataset]);
  const size = (set) => set.errors.length / STRIDE;
  const field = (set, error, name) => set.errors[error * STRIDE + name];
  const kindOf = (set, error) => DATA.kinds[field(set, error, KIND)];
  const constructionOf = (set, error) => set.texts[field(set, error, CONSTRUCTION)];
  const sentenceOf = (set, error) => set.sentences[field(set, error, SENTENCE)];
  const wordsOf = (set, error) => sentenceOf(set, error)[1].map((word) => set.texts[word]);

  // Sentence and word; on a spine with several of the same construction, which of them.
  function placeOf(set, error) {
    const same = [SENTENCE, POSITION, KIND];
    let count = 1;
    for (let before = error - 1; before >= 0; before -= 1) {
      if (same.some((name) => field(set, before, name) !== field(set, error, name))) break;
      count += field(set, before, CONSTRUCTION) === field(set, error, CONSTRUCTION) ? 1 : 0;
    }
    const place = `${sentenceOf(set, error)[0]}.${field(set, error, POSITION)}`;
    return count > 1 ? `${place}.${count}` : place;
  }

  const part = (text) => encodeURIComponent(text);

  function linkTo(set, error) {
    const parts = [set.name, constructionOf(set, error), kindOf(set, error)];
    return `#${parts.map(part).join("/")}/${placeOf(set, error)}`;
  }

  function parsedLink(hash) {
    const parts = hash.replace(/^#/, "").split("/");
    if (parts.length < 2) return null; // a section
    try {
      const [dataset, construction, kind = ANY, place = null] = parts.map(decodeURIComponent);
      return { dataset: DATA.datasets.indexOf(dataset), construction, kind, place };
    } catch {
      return { dataset: -1 };
    }
  }

  function fits(set, error, construction, kind) {
    const number = field(set, error, KIND);
    if (kind === ANY ? number === SPAN_RIGHT : DATA.kinds[number] !== kind) return false;
    return construction === ANY || constructionOf(set, error) === construction;
  }

  // `=in`: the word in question; `#12`: the sentence; else words of the sentence.
  function filterTest(set, text) {
    const wanted = text.trim().toLowerCase();
    if (!wanted) return () => true;
    if (/^#\d+$/.test(wanted)) {
      return (error) => sentenceOf(set, error)[0] === Number(wanted.slice(1));
    }
    if (wanted.startsWith("=")) {
      const head = wanted.slice(1);
      return (error) => {
        const word = sentenceOf(set, error)[1][field(set, error, POSITION)];
        return set.texts[word].toLowerCase() === head;
      };
    }
    const known = new Map();
    return (error) => {
      const number = field(set, error, SENTENCE);
      if (!known.has(number)) {
        known.set(number, wordsOf(set, error).join(" ").toLowerCase().includes(wanted));
      }
      return known.get(number);
    };
  }

  function choose(error = null) {
    const set = currentSet();
    const passes = filterTest(set, state.filter);
    state.chosen = [];
    for (let one = 0; one < size(set); one += 1) {
      if (fits(set, one, state.construction, state.kind) && passes(one)) state.chosen.push(one);
    }
    state.at = Math.max(0, state.chosen.indexOf(error));
    fillSelects(set);
    byId("nothing").hidden = state.chosen.length > 0;
    byId("list").hidden = byId("detail").hidden = !state.chosen.length;
    renderList(true);
    renderError();
  }

  function fillSelects(set) {
    const byConstruction = new Map();
    const byKind = new Map(DATA.kinds.map((kind) => [kind, 0]));
    let ofKind = 0, ofConstruction = 0;
    for (let one = 0; one < size(set); one += 1) {
      const construction = constructionOf(set, one);
      if (fits(set, one, ANY, state.kind)) {
        byConstruction.set(construction, (byConstruction.get(construction) ?? 0) + 1);
        ofKind += 1;
      }
      if (state.construction !== ANY && construction !== state.construction) continue;
      byKind.set(kindOf(set, one), byKind.get(kindOf(set, one)) + 1);
      ofConstruction += field(set, one, KIND) === SPAN_RIGHT ? 0 : 1;
    }
    if (state.construction !== ANY && !byConstruction.has(state.construction)) {
      byConstruction.set(state.construction, 0);
    }
    const option = (value, name, count) =>
      element("option", { value }, `${name} (${count.toLocaleString("en")})`);
    const sorted = [...byConstruction].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
    byId("construction").replaceChildren(
      option(ANY, "all", ofKind),
      ...sorted.map(([name, count]) => option(name, name, count)),
    );
    byId("kind").replaceChildren(
      option(ANY, "all", ofConstruction),
      ...[...byKind].map(([name, count]) => option(name, name, count)),
    );
    byId("construction").value = state.construction;
    byId("kind").value = state.kind;
  }

  // -- data sets ---------------------------------------------------------------------------

  function showDataset(number) {
    state.dataset = number;
    for (const section of all("section[data-dataset]")) {
      section.hidden = Number(section.dataset.dataset) !== number;
    }
    for (const link of all("nav a[data-key]")) {
      const key = CSS.escape(link.dataset.key);
      const section = document.querySelector(`section[data-key="${key}"]:not([hidden])`);
      link.hidden = !section;
      if (section) link.setAttribute("href", `#${section.id}`);
    }
    for (const select of all(".choose-dataset")) select.value = String(number);
    const set = currentSet();
    byId("errors").hidden = !set;
    if (!set) return;
    const missing = set.total - size(set);
    byId("cap").hidden = missing === 0;
    byId("cap").textContent =
      `Here are the first ${size(set).toLocaleString("en")} of ` +
      `${counted(set.total, "error")} in the order of the sentences; ` +
      `${missing.toLocaleString("en")} are left out to keep the page small. ` +
      "The tables count all of them.";
  }

  function setUpDatasets() {
    for (const label of all("label.dataset")) label.hidden = DATA.datasets.length < 2;
    for (const select of all(".choose-dataset")) {
      select.append(
        ...DATA.datasets.map((name, at) => element("option", { value: at }, name)),
      );
      select.addEventListener("change", () => {
        showDataset(Number(select.value));
        if (!currentSet()) return;
        state.construction = state.kind = ANY;
        choose();
        go(0);
      });
    }
  }

  // -- the list of errors: only the rows in sight exist ---------------------------------------

  const ROW = 30;
  const SPARE = 8; // rows above and below
  const CONTEXT = 160; // characters on either side

  function renderList(isNew = false) {
    const list = byId("list");
    const rows = byId("rows");
    rows.style.height = `${state.chosen.length * ROW}px`;
    if (isNew) list.scrollTop = Math.max(0, (state.at - 2) * ROW);
    const first = Math.max(0, Math.floor(list.scrollTop / ROW) - SPARE);
    const visible = Math.ceil((list.clientHeight || 200) / ROW) + 2 * SPARE;
    const last = Math.min(state.chosen.length, first + visible);
    const shownRows = [];
    for (let at = first; at < last; at += 1) shownRows.push(listRow(at));
    rows.replaceChildren(...shownRows);
    if (state.chosen.length) list.setAttribute("aria-activedescendant", `error-${state.at}`);
    else list.removeAttribute("aria-activedescendant");
  }

  function listRow(at) {
    const set = currentSet();
    const error = state.chosen[at];
    const words = wordsOf(set, error).map(shown);
    const position = field(set, error, POSITION);
    const row = element(
      "div",
      {
        role: "option",
        id: `error-${at}`,
        "aria-selected": String(at === state.at),
        "aria-posinset": at + 1,
        "aria-setsize": state.chosen.length,
      },
      element("span", { class: "number" }, `${sentenceOf(set, error)[0]}`),
      element("span", { class: "name" }, constructionOf(set, error)),
      element("span", { class: "kind" }, kindOf(set, error)),
      element("span", { class: "before" }, element("bdi", {}, words.slice(0, position).join(" ").slice(-CONTEXT))),
      element(
        "span",
        { class: "after" },
        element("b", {}, words[position]),
        ` ${words.slice(position + 1).join(" ").slice(0, CONTEXT)}`,
      ),
    );
    row.style.top = `${at * ROW}px`;
    row.addEventListener("click", () => go(at));
    return row;
  }

  function keepInSight() {
    const list = byId("list");
    const top = state.at * ROW;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + ROW > list.scrollTop + list.clientHeight) {
      list.scrollTop = top + ROW - list.clientHeight;
    }
  }

  function go(at) {
    if (!state.chosen.length) return;
    state.at = Math.min(state.chosen.length - 1, Math.max(0, at));
    keepInSight();
    renderList();
    renderError();
    address.update();
  }

  // The address follows what is shown, replaced, not pushed: going back leaves the page,
  // not one error after the other. Browsers refuse hundreds of changes in a few
  // seconds, so while a key is held down it waits.
  const address = {
    changed: 0,
    timer: 0,
    update() {
      clearTimeout(this.timer);
      const wait = this.changed + 250 - performance.now();
      if (wait > 0) {
        this.timer = setTimeout(() => this.update(), wait);
        return;
      }
      this.changed = performance.now();
      history.replaceState(null, "", byId("link").getAttribute("href"));
    },
  };

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

  // -- following links -------------------------------------------------------------------------

  // True if the address names errors of this page.
  function follow(hash) {
    const link = parsedLink(hash);
    if (!link) {
      showSection(hash.slice(1));
      return false;
    }
    const set = link.dataset < 0 ? null : sets.get(DATA.datasets[link.dataset]);
    if (!set) {
      notice("The address names a data set that is not in this page.");
      return false;
    }
    let error = null;
    if (link.place !== null) {
      for (let one = 0; one < size(set) && error === null; one += 1) {
        if (
          kindOf(set, one) === link.kind &&
          constructionOf(set, one) === link.construction &&
          placeOf(set, one) === link.place
        ) error = one;
      }
    }
    const isMissing = link.place !== null && error === null;
    notice(isMissing ? "The address names an error that is not in this page." : "");
    showDataset(link.dataset);
    const isKnown = link.kind === ANY || DATA.kinds.includes(link.kind);
    state.kind = isKnown ? link.kind : ANY;
    state.construction = link.construction || ANY;
    state.filter = byId("filter").value = "";
    choose(error);
    byId("errors").scrollIntoView();
    return true;
  }

  // A section of a data set that is not shown cannot be scrolled to.
  function showSection(id) {
    const section = byId(id);
    if (!section || !section.hidden || section.dataset.dataset === undefined) return;
    showDataset(Number(section.dataset.dataset));
    if (currentSet()) choose();
    section.scrollIntoView();
  }

  function notice(text) {
    byId("notice").textContent = text;
    byId("notice").hidden = !text;
  }

  // -- keys ------------------------------------------------------------------------------------

  const isTyping = (target) => target.matches("input, select, textarea");

  function nearestFilter() {
    const inputs = all("[data-filter]").filter((input) => input.offsetParent !== null);
    const inSight = inputs.find((input) => {
      const { top, bottom } = input.closest("section").getBoundingClientRect();
      return top < innerHeight * 0.6 && bottom > innerHeight * 0.3;
    });
    return inSight ?? byId("filter");
  }

  const KEYS = {
    j: () => go(state.at + 1),
    k: () => go(state.at - 1),
    ArrowRight: () => go(state.at + 1),
    ArrowLeft: () => go(state.at - 1),
    t: () => setView(state.view === "trees" ? "derivations" : "trees"),
    e: () => setView(state.view === "edit" ? "trees" : "edit"),
    f: () => byId("fold").click(),
    "/": () => {
      const input = nearestFilter();
      input.focus();
      input.select();
    },
    "?": () => byId("help").showModal(),
  };
  const LIST_KEYS = {
    ArrowDown: () => go(state.at + 1),
    ArrowUp: () => go(state.at - 1),
    PageDown: () => go(state.at + 6),
    PageUp: () => go(state.at - 6),
    Home: () => go(0),
    End: () => go(state.chosen.length - 1),
  };

  function onKey(event) {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
    if (isTyping(target)) {
      if (key === "Escape") target.blur();
      return;
    }
    // In a tree's panel the arrows scroll it.
    if (key.startsWith("Arrow") && target.classList.contains("tree")) return;
    const action = (target.id === "list" && LIST_KEYS[key]) || KEYS[key];
    if (!action || (!currentSet() && key !== "?" && key !== "/")) return;
    event.preventDefault();
    action();
  }

  // -- start -----------------------------------------------------------------------------------

  function setUpErrors() {
    byId("controls").addEventListener("submit", (event) => event.preventDefault());
    for (const name of ["construction", "kind"]) {
      byId(name).addEventListener("change", (event) => {
        state[name] = event.target.value;
        choose();
        go(state.at);
      });
    }
    const filter = later(80, () => {
      state.filter = byId("filter").value;
      choose(state.chosen[state.at] ?? null);
      go(state.at);
    });
    byId("filter").addEventListener("input", filter);
    byId("reset").addEventListener("click", () => {
      state.construction = state.kind = ANY;
      state.filter = byId("filter").value = "";
      choose();
    });
    byId("previous").addEventListener("click", () => go(state.at - 1));
    byId("next").addEventListener("click", () => go(state.at + 1));
    byId("list").addEventListener("scroll", () => renderList(), { passive: true });
    byId("show-trees").addEventListener("click", () => setView("trees"));
    byId("show-derivations").addEventListener("click", () => setView("derivations"));
    byId("show-edit").addEventListener("click", () => setView("edit"));
    byId("fold").addEventListener("change", redraw);
    addEventListener("resize", later(120, redraw));
    addEventListener("hashchange", () => {
      clearTimeout(address.timer);
      follow(location.hash);
    });
  }

  setUpTheme();
  all("div.table").forEach(setUpTable);
  setUpDatasets();
  setUpErrors();
  byId("help-button").addEventListener("click", () => byId("help").showModal());
  byId("close-help").addEventListener("click", () => byId("help").close());
  document.addEventListener("keydown", onKey);
  showDataset(0);
  if (!follow(location.hash) && currentSet()) choose();
  document.documentElement.dataset.ready = String(Math.round(performance.now())); // ms
})();
