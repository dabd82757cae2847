// -- copying: any table, tree or plot as SVG, PNG, LaTeX, TSV or a link --------------------
//
// Shared by all pages, and needs nothing of them: a block with a table or a picture gets
// a button that is seen when it is pointed at or has the focus. What stands on the
// page in dark colours is copied in light ones, since paper is white.

const setUpCopying = (() => {
  "use strict";
  const BLOCKS = "div.table, figure, table.lines"; // what has a button
  const SCALE = 2; // of a picture in pixels
  const LARGEST = 12000; // pixels of a side that browsers draw
  const NAMES = { svg: "SVG", png: "PNG", latex: "LaTeX", tsv: "TSV", link: "Link" };
  const SVG = "http://www.w3.org/2000/svg";

  const make = (tag, attributes, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  };
  const isSeen = (node) => node.getClientRects().length > 0;
  const inOneLine = (text) => text.replace(/\s+/g, " ").trim();
  const markup = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

  // -- tables: rows of cells -------------------------------------------------------------

  const textOf = (cell) => {
    const copy = cell.cloneNode(true);
    for (const part of copy.querySelectorAll(".mark, .copy, title, [hidden]")) part.remove();
    return inOneLine(copy.textContent);
  };
  const rowOf = (row) =>
    [...row.cells].map((cell) => ({ text: textOf(cell), span: cell.colSpan, isNumber: cell.classList.contains("n") }));
  // What is in sight of a table, in the order in which it stands there.
  function contentOf(table) {
    const rows = (part) => [...(part?.rows ?? [])].filter(isSeen).map(rowOf);
    return {
      head: rows(table.tHead),
      body: [...table.tBodies].flatMap(rows),
      foot: rows(table.tFoot),
    };
  }

  const number = (text) => text.replace(/(\d),(?=\d{3})/g, "$1").replace(/^[−–](?=\d)/, "-");
  // A spreadsheet must not run a cell as a formula: as `spreadsheet_cell` in Python.
  const plain = ({ text, isNumber }) => {
    if (isNumber) return number(text);
    return /^[=+\-@]/.test(text) ? `'${text}` : text;
  };
  function tsvOf(table) {
    const { head, body, foot } = contentOf(table);
    const line = (row) => row.flatMap((cell) => [plain(cell), ...Array(cell.span - 1).fill("")]).join("\t");
    return [...head, ...body, ...foot].map((row) => `${line(row)}\n`).join("");
  }

  // As `latex_text` of reports/render.py.
  const LATEX = {
    "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "$": "\\$", "&": "\\&", "#": "\\#", "%": "\\%", "_": "\\_",
    "^": "\\textasciicircum{}", "~": "\\textasciitilde{}", "<": "\\textless{}", ">": "\\textgreater{}",
    "|": "\\textbar{}", '"': "\\symbol{34}", "≤": "$\\leq$", "…": "\\dots{}", "→": "$\\rightarrow$", "×": "$\\times$",
    "−": "$-$", "∅": "$\\emptyset$", "⋯": "$\\cdots$",
  };
  const latex = (text) => [...text].map((character) => LATEX[character] ?? character).join("");

  function tabular(table) {
    const { head, body, foot } = contentOf(table);
    const kinds = (head.at(-1) ?? body[0] ?? []).flatMap((cell) => Array(cell.span).fill(cell.isNumber ? "r" : "l"));
    const cell = ({ text, span }) => (span > 1 ? `\\multicolumn{${span}}{c}{${latex(text)}}` : latex(text));
    const line = (row) => {
      const cells = row.map(cell).join(" & ");
      // After a row's end, TeX takes '[' and '*' for arguments of that end.
      return `${/^[[*]/.test(cells) ? "{}" : ""}${cells} \\\\`;
    };
    const parts = [head, body, foot].filter((rows) => rows.length).map((rows) => rows.map(line).join("\n"));
    const notes = [table.caption, ...(table.closest("div.table")?.querySelectorAll("p.note") ?? [])];
    return [
      ...notes.filter(Boolean).map((note) => `% ${inOneLine(note.textContent)}`),
      `\\begin{tabular}{${kinds.join("")}}`,
      "\\toprule",
      parts.join("\n\\midrule\n"),
      "\\bottomrule",
      "\\end{tabular}",
      "",
    ].join("\n");
  }

  // A table as a picture: its cells' colours and lines, and each word where it stands.
  function tableSvg(table) {
    const frame = table.getBoundingClientRect();
    const pen = document.createElement("canvas").getContext("2d");
    const parts = [];
    const box = ({ left, top, width, height }, color) => parts.push(
      `<rect x="${(left - frame.left).toFixed(1)}" y="${(top - frame.top).toFixed(1)}" width="${width.toFixed(1)}" height="${height.toFixed(1)}" fill="${color}"/>`);
    for (const cell of [...table.querySelectorAll("th, td")].filter(isSeen)) {
      const area = cell.getBoundingClientRect();
      const look = getComputedStyle(cell);
      if (!/^(transparent|rgba\(.*, 0\))$/.test(look.backgroundColor)) box(area, look.backgroundColor);
      const { left, bottom, width } = area;
      const thick = Math.round(parseFloat(look.borderBottomWidth));
      if (thick) box({ left, top: bottom - thick, width, height: thick }, look.borderBottomColor);
    }
    const walker = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (walker.nextNode()) {
      const { currentNode: node } = walker;
      if (!isSeen(node.parentElement) || node.parentElement.closest(".copy")) continue;
      const look = getComputedStyle(node.parentElement);
      const lines = [];
      for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const { left, top } = range.getBoundingClientRect();
        const last = lines.at(-1);
        if (last && Math.abs(last.top - top) < 2) last.text += ` ${word}`;
        else lines.push({ left, top, text: word });
      }
      pen.font = look.font;
      const ascent = pen.measureText("x").fontBoundingBoxAscent;
      for (const { left, top, text } of lines) {
        parts.push(
          `<text x="${(left - frame.left).toFixed(1)}" y="${(top - frame.top + ascent).toFixed(1)}" fill="${look.color}" ` +
          `font-family="${markup(look.fontFamily)}" font-size="${look.fontSize}" font-weight="${look.fontWeight}">${markup(text)}</text>`);
      }
    }
    const [width, height] = [Math.ceil(frame.width), Math.ceil(frame.height)];
    return `<svg xmlns="${SVG}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${parts.join("")}</svg>\n`;
  }

  // -- pictures --------------------------------------------------------------------------

  const LOOKS = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "opacity", "fill-opacity",
    "stroke-opacity", "font-family", "font-size", "font-weight", "font-style", "text-anchor", "text-decoration-line"];

  // An element of the page on its own: what style sheets say of it as attributes.
  function standalone(svg) {
    const copy = svg.cloneNode(true);
    const originals = [svg, ...svg.querySelectorAll("*")];
    [copy, ...copy.querySelectorAll("*")].forEach((node, at) => {
      const look = getComputedStyle(originals[at]);
      const isShape = !originals[at].closest("defs, clipPath"); // what is used looks as where it is used
      for (const name of LOOKS) {
        if (!isShape && !node.hasAttribute(name)) continue;
        const value = look.getPropertyValue(name);
        if (value && !["none 0px", "normal", "auto"].includes(value)) {
          node.setAttribute(name === "text-decoration-line" ? "text-decoration" : name, value);
        }
      }
      node.removeAttribute("class");
    });
    const { width, height } = svg.getBoundingClientRect(); // on a page it may be as wide as there is room
    copy.setAttribute("width", width.toFixed(1));
    copy.setAttribute("height", height.toFixed(1));
    copy.setAttribute("xmlns", SVG);
    return `${new XMLSerializer().serializeToString(copy)}\n`;
  }

  function decoded(image) {
    const [kind, data] = [image.src.slice(0, image.src.indexOf(",")), image.src.slice(image.src.indexOf(",") + 1)];
    if (!kind.endsWith("base64")) return decodeURIComponent(data);
    return new TextDecoder().decode(Uint8Array.from(atob(data), (character) => character.charCodeAt(0)));
  }

  const picturesIn = (block) =>
    [...block.querySelectorAll("svg, img")].filter((picture) => isSeen(picture) && !picture.parentElement.closest("svg, .copy"));

  // The picture of a block; several stand beside each other.
  function svgOf(block) {
    const table = tableIn(block);
    if (table) return tableSvg(table);
    const texts = picturesIn(block).map((picture) => (picture.tagName === "IMG" ? decoded(picture) : standalone(picture)));
    if (texts.length === 1) return texts[0];
    const sizes = texts.map((text) => ["width", "height"].map((side) => Number(text.match(` ${side}="([\\d.]+)`)[1])));
    let x = 0;
    const placed = texts.map((text, at) => {
      const here = text.replace("<svg ", `<svg x="${x}" `);
      x += sizes[at][0] + 16;
      return here;
    });
    const height = Math.max(...sizes.map((size) => size[1]));
    return `<svg xmlns="${SVG}" width="${x - 16}" height="${height}" viewBox="0 0 ${x - 16} ${height}">\n${placed.join("")}</svg>\n`;
  }

  async function pngOf(svg) {
    const image = new Image();
    const light = svg.replaceAll("@media (prefers-color-scheme: dark)", "@media not all");
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(light)}`;
    await image.decode();
    const scale = Math.min(SCALE, LARGEST / Math.max(image.width, image.height));
    const canvas = make("canvas", { width: Math.ceil(image.width * scale), height: Math.ceil(image.height * scale) });
    const pen = canvas.getContext("2d");
    pen.fillStyle = "#fff";
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  }

  // -- trees for `forest`: as reports/drawing/latex.py -----------------------------------

  // A tree in brackets as nodes, parents first.
  function parsed(text) {
    const nodes = [];
    const open = [];
    for (const [token] of text.matchAll(/\(\s*[^\s()]*|\)|[^\s()]+/g)) {
      if (token.startsWith("(")) {
        const parent = open.at(-1) ?? null;
        open.push(nodes.push({ parent, lines: [{ text: token.slice(1).trim() }], word: null }) - 1);
      } else if (token === ")") open.pop();
      else if (open.length) nodes[open.at(-1)].word = token;
    }
    return nodes;
  }

  // The nodes of a picture: those it was drawn from, or those that its description has.
  function nodesOf(picture) {
    if (picture.twigs) return picture.twigs;
    const [, text] = (picture.alt ?? "").match(/: (\(.*\))\s*$/s) ?? [];
    return text ? parsed(text) : null;
  }

  const COLORS = { missed: "200,30,30", spurious: "161,98,7" };
  function forest(nodes, mark) {
    const lines = [];
    if (nodes.some((node) => node.isMarked)) {
      const [red, green, blue] = COLORS[mark].split(",");
      const color = `{rgb,255:red,${red};green,${green};blue,${blue}}`;
      lines.push(`\\forestset{${mark}/.style={text=${color}, font=\\bfseries, edge={draw=${color}, thick}}}`);
    }
    lines.push("\\begin{forest}", "for tree={parent anchor=south, child anchor=north, align=center}");
    const roots = nodes.filter((node) => node.parent === null).length;
    if (roots > 1) lines.push("[, phantom"); // forest has one root
    const open = [];
    nodes.forEach((node, at) => {
      while (open.length && open.at(-1) !== node.parent) {
        open.pop();
        lines[lines.length - 1] += "]";
      }
      const content = `, content={${node.lines.map((line) => latex(line.text)).join("\\\\{}")}}`;
      const below = node.isFolded ? "roof" : "tier=word";
      const word = node.word === null ? "" : ` [, content={${latex(node.word)}}, ${below}]`;
      lines.push(`${"  ".repeat(open.length + (roots > 1))}[${content}${node.isMarked ? `, ${mark}` : ""}${word}`);
      open.push(at);
    });
    lines[lines.length - 1] += "]".repeat(open.length + (roots > 1));
    return `${lines.join("\n")}\n\\end{forest}\n`;
  }

  function latexOf(block) {
    const table = tableIn(block);
    if (table) return tabular(table);
    const trees = picturesIn(block).map((picture) =>
      forest(nodesOf(picture), picture.querySelector(".spurious") ? "spurious" : "missed"));
    return `% needs \\usepackage[linguistics]{forest}\n${trees.join("\n")}`;
  }

  // -- the menu --------------------------------------------------------------------------

  const tableIn = (block) => (block.matches("figure") ? null : block.querySelector("table"));

  function formatsOf(block) {
    if (tableIn(block)) return ["svg", "png", "latex", "tsv", "link"];
    const pictures = picturesIn(block);
    return ["svg", "png", ...(pictures.length && pictures.every(nodesOf) ? ["latex"] : []), "link"];
  }

  // Where it stands: the error that is shown, or the section, with how tables are sorted.
  function linkTo(block) {
    const [page, hash = ""] = location.href.split("#");
    if (block.closest("#errors")) return location.href;
    const [, query] = hash.split("?");
    const { id } = block.closest("[id]") ?? {};
    return `${page}${id ? `#${id}${query ? `?${query}` : ""}` : ""}`;
  }

  // In light colours, and with nothing that sticks to the frame's edge.
  function asOnPaper(block, action) {
    const { style } = document.documentElement;
    const before = style.colorScheme;
    style.colorScheme = "light";
    block.classList.add("on-paper-now");
    try {
      return action();
    } finally {
      style.colorScheme = before;
      block.classList.remove("on-paper-now");
    }
  }

  const TEXTS = {
    svg: (block) => asOnPaper(block, () => svgOf(block)),
    latex: latexOf,
    tsv: (block) => tsvOf(tableIn(block)),
    link: linkTo,
  };

  function saved(blob, ending) {
    const link = make("a", { href: URL.createObjectURL(blob), download: `spinal.${ending}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    return `Saved as spinal.${ending}`;
  }

  // To the clipboard; where a browser does not allow that, as a file.
  async function copy(block, format) {
    if (format === "png") {
      const blob = pngOf(TEXTS.svg(block));
      try {
        await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
        return "Copied";
      } catch {
        return saved(await blob, "png");
      }
    }
    const text = TEXTS[format](block);
    try {
      await navigator.clipboard.writeText(text);
      return "Copied";
    } catch {
      return saved(new Blob([text], { type: "text/plain" }), { latex: "tex", link: "txt" }[format] ?? format);
    }
  }

  const menu = make("div", { class: "copy-menu", role: "menu", "aria-label": "Copy as" });
  let opener = null;

  function close(isLeft = false) {
    if (!opener) return;
    opener.setAttribute("aria-expanded", "false");
    if (!isLeft) opener.focus();
    opener = null;
    menu.hidden = true;
  }

  function open(button, block) {
    close(true);
    opener = button;
    button.setAttribute("aria-expanded", "true");
    menu.replaceChildren(...formatsOf(block).map((format) => {
      const item = make("button", { type: "button", role: "menuitem", tabindex: "-1", "data-format": format }, NAMES[format]);
      item.addEventListener("click", async () => {
        close();
        button.textContent = await copy(block, format);
        setTimeout(() => { button.textContent = "Copy as"; }, 1600);
      });
      return item;
    }));
    const { right, bottom } = button.getBoundingClientRect();
    menu.hidden = false;
    menu.style.left = `${Math.max(4, right + scrollX - menu.offsetWidth)}px`;
    menu.style.top = `${bottom + scrollY + 2}px`;
    menu.firstChild.focus();
  }

  // Keys of the menu are not keys of the page.
  function onKey(event) {
    const items = [...menu.children];
    const at = items.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    event.stopPropagation();
    if (to !== undefined) items[(to + items.length) % items.length].focus();
    else if (event.key === "Escape" || event.key === "Tab") close();
    else return;
    event.preventDefault();
  }

  function addButton(content) {
    if (content.closest(".copied") || content.querySelector(":scope > .copy") || content.closest(".copy")) return;
    let block = content;
    if (content.matches("table")) {
      block = make("div", {});
      content.replaceWith(block);
      block.append(content);
    }
    block.classList.add("copied");
    const button = make("button", { type: "button", class: "copy", "aria-haspopup": "menu", "aria-expanded": "false" }, "Copy as");
    button.addEventListener("click", (event) => {
      event.stopPropagation();
      if (opener === button) close();
      else open(button, block);
    });
    block.append(button);
  }

  return () => {
    menu.hidden = true;
    menu.addEventListener("keydown", onKey);
    document.body.append(menu);
    document.addEventListener("click", ({ target }) => { if (!menu.contains(target)) close(true); });
    const look = (root) => {
      if (root.matches?.(BLOCKS)) addButton(root);
      for (const block of root.querySelectorAll?.(BLOCKS) ?? []) addButton(block);
    };
    look(document.body);
    // What is drawn later has a button as well.
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) addedNodes.forEach(look);
    }).observe(document.body, { childList: true, subtree: true });
  };
})();
