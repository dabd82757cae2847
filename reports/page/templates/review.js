"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const by = (id) => document.getElementById(id);
  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const cards = data.findings.map((finding) => ({ ...finding, element: by(finding.id), key: finding.line.fingerprint }));
  const lines = new Map(cards.map((card) => [card.key, card.line]));  // of the file that is saved
  const STORE = "spinal-check";  // what is not saved yet is not lost if the browser stops
  const OPEN = { verdict: "undecided", comment: "" };
  const undo = [];
  const decisions = {};  // fingerprint: verdict, comment, annotator, date, mend, isUnsaved
  let here = 0;

  const of = (card) => decisions[card.key] || OPEN;
  const isOpen = (card) => of(card).verdict === "undecided";
  const keep = () => {
    try { localStorage.setItem(STORE, JSON.stringify(decisions)); } catch { /* a file may have no store */ }
  };

  // -- files: what analyzer/checks/decisions.py reads and writes ----------------------

  const written = (line) => {
    const made = { ...line, ...decisions[line.fingerprint] };
    const isOther = made.verdict === "error" && made.mend === false;
    const fields = data.fields.filter((name) => made[name] && !(name === "edit" && isOther));
    return JSON.stringify(Object.fromEntries(fields.map((name) => [name, made[name]])));
  };
  const text = () => [...lines.keys()].sort().map((key) => written(lines.get(key)) + "\n").join("");
  const save = () => {
    const link = make("a", { href: URL.createObjectURL(new Blob([text()])), download: "decisions.jsonl" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    for (const decision of Object.values(decisions)) decision.isUnsaved = false;
    show();
  };
  // Decisions that were read; where this page has another one, that one stays.
  const take = (read) => {
    let kept = 0;
    for (const line of read) {
      const now = decisions[line.fingerprint];
      const { verdict = "undecided", comment = "", annotator = "", date = "" } = line;
      const mend = verdict !== "error" || "edit" in line;
      if (now && now.verdict !== "undecided" && (now.verdict !== verdict || (verdict === "error" && now.mend !== mend))) {
        if (verdict !== "undecided") kept += 1;
        continue;
      }
      if (!lines.has(line.fingerprint)) lines.set(line.fingerprint, line);
      decisions[line.fingerprint] = { verdict, comment, annotator, date, mend, isUnsaved: false };
    }
    return kept;
  };
  const load = (content) => {
    const read = [];
    for (const [at, line] of content.replace(/^\ufeff/, "").split(/\r?\n/).entries()) {
      if (!line.trim()) continue;
      try {
        read.push(JSON.parse(line));
        if (!read.at(-1).fingerprint) throw new Error();
      } catch {
        show("nothing loaded: line " + (at + 1) + " is not a decision");
        return;
      }
    }
    const kept = take(read);
    show(read.length + " loaded" + (kept ? "; " + kept + " decided otherwise here stay so" : ""));
  };

  // -- what is shown -------------------------------------------------------------------

  const fit = () => {  // a card must not stop under the bar
    const covered = getComputedStyle(by("bar")).position === "sticky" ? by("bar").offsetHeight : 0;
    document.documentElement.style.scrollPaddingTop = covered + 8 + "px";
  };
  const words = (card) => JSON.stringify([card.line, card.where, of(card).comment]).toLowerCase();
  const isWanted = (card) => {
    const [verdict, code, file, search] = ["verdict", "code", "name", "search"].map((id) => by(id).value);
    return (!verdict || of(card).verdict === verdict) && (!code || card.line.code === code)
      && (!file || card.file === file) && (!search || words(card).includes(search.toLowerCase()));
  };
  const show = (message) => {
    for (const card of cards) {
      const { verdict, mend, comment } = of(card);
      card.element.hidden = !isWanted(card);
      card.element.dataset.verdict = verdict;
      if (!card.comment) continue;
      card.comment.value = comment;
      const chosen = verdict === "error" ? (mend === false && card.line.edit ? "x" : "y") : verdict === "fine" ? "n" : "";
      for (const [key, button] of card.buttons) button.ariaPressed = String(key === chosen);
    }
    for (const [bar, members] of bars) bar.hidden = members.every((card) => card.element.hidden);
    const shown = cards.filter((card) => !card.element.hidden).length;
    const unsaved = Object.values(decisions).filter((decision) => decision.isUnsaved).length;
    by("save").classList.toggle("unsaved", unsaved > 0);
    by("progress").textContent = [
      cards.filter((card) => !isOpen(card)).length + " of " + cards.length + " decided",
      ...(shown < cards.length ? [shown + " shown"] : []),
      ...(unsaved ? [unsaved + " not saved"] : []),
      ...(message ? [message] : []),
    ].join("; ");
    keep();
    fit();
  };
  const go = (to) => {  // cards that a filter hides are passed over
    const step = to < here ? -1 : 1;
    let at = Math.max(0, Math.min(cards.length - 1, to));
    while (cards[at] && cards[at].element.hidden) at += step;
    if (!cards[at]) return;
    cards[here].element.classList.remove("here");
    here = at;
    for (const near of cards.slice(Math.max(0, here - 1), here + 2)) fill(near);
    cards[here].element.classList.add("here");
    const above = cards[here].element.previousElementSibling;
    (above && above.matches(".group") ? above : cards[here].element).scrollIntoView({ block: "start" });
    cards[here].element.focus({ preventScroll: true });
  };

  // -- decisions -----------------------------------------------------------------------

  const put = (card, decision) => {
    const made = { annotator: by("annotator").value, date: new Date().toISOString().slice(0, 10), isUnsaved: true };
    decisions[card.key] = { ...of(card), ...decision, ...made };
  };
  const alike = (card) => cards.filter((other) => other === card || (card.group && other.group === card.group && isOpen(other)));
  const decide = (choose, isForAll) => {
    const chosen = isForAll ? alike(cards[here]) : [cards[here]];
    undo.push([here, chosen.map((card) => [card, decisions[card.key]])]);
    for (const card of chosen) put(card, choose(card));
    const next = cards.findIndex((card, at) => at > here && isOpen(card) && isWanted(card));
    show();
    go(next < 0 ? here + 1 : next);
  };
  const back = () => {
    const [at, before] = undo.pop() || [here, []];
    for (const [card, decision] of before) decisions[card.key] = { ...OPEN, ...decision, isUnsaved: true };
    show();
    go(at);
  };
  const CHOICES = {
    y: () => ({ verdict: "error", mend: true }),
    x: () => ({ verdict: "error", mend: false }),
    n: () => ({ verdict: "fine" }),
    l: () => ({ verdict: "undecided" }),
  };
  // One analysis for a group: what has it is fine, all else an error.
  const uniform = (name) => (card) => {
    const [now, then] = card.contrast;
    return now === name ? { verdict: "fine" } : { verdict: "error", mend: then === name };
  };
  const names = (card) => (data.groups[card.group] || { names: [] }).names;

  // -- cards: what is in them is made when they come near ------------------------------

  const picture = ({ alt, svg }) => make("img", { alt, src: "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg) });
  const row = (title) => ([before, inside, after, where], at) => make("tr", {},
    at ? make("td") : make("th", { scope: "row" }, title),
    make("td", { className: "before" }, make("span", {}, before)),
    make("td", {}, make("mark", {}, inside), " " + after),
    make("td", { className: "where", title: where }, make("bdi", {}, where)));
  const nowhere = (title) => make("tr", {}, make("th", { scope: "row" }, title), make("td", { colSpan: 3 }, "not in these files"));
  const evidence = (listed) => make("table", { className: "lines" }, make("tbody", {}, ...listed.flatMap(
    ([title, uses]) => (uses.length ? uses.map(row(title)) : [nowhere(title)]))));
  const fill = (card) => {
    if (card.comment) return;
    const titles = card.line.edit
      ? { y: "Mend it", x: "An error, but not so", n: "Fine", l: "Later" }
      : { y: "An error", n: "Fine", l: "Later" };
    card.comment = make("input", { className: "comment", ariaLabel: "Comment", placeholder: "comment (c)" });
    card.comment.addEventListener("change", () => { put(card, { comment: card.comment.value }); show(); });
    card.buttons = Object.entries(titles).map(([key, title]) => {
      const button = make("button", { type: "button", className: key }, title);
      button.addEventListener("click", () => { go(cards.indexOf(card)); decide(CHOICES[key]); });
      return [key, button];
    });
    card.element.querySelector("h2").after(make("p", { className: "where" }, card.where));
    if (!card.message) card.element.querySelector(".message").remove();  // the evidence says it
    if (card.evidence.some(([title]) => title)) {  // its first line is the context
      card.element.querySelector(".context").remove();
      card.element.append(evidence(card.evidence));
    }
    if (card.edit) card.element.append(make("p", { className: "edit" }, (card.line.edit ? "Edit: " : "Suggested: ") + card.edit));
    card.element.append(
      make("figure", {}, ...card.drawings.map(picture)),
      make("p", { className: "buttons" }, ...card.buttons.map(([, button]) => button), card.comment),
      make("p", { className: "where" }, card.more),
    );
    show();
  };
  const watcher = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting) fill(cards.find((card) => card.element === target));
    }
  }, { rootMargin: "400px" });
  const bars = Object.entries(data.groups).map(([group, { title, names: listed }]) => {
    const members = cards.filter((card) => card.group === group);
    const isClear = members.every((card) => card.contrast[0]);
    const buttons = (isClear ? listed.slice(0, 9) : []).map((name, at) => {
      const button = make("button", { type: "button" }, make("kbd", {}, String(at + 1)), " " + name + " everywhere");
      button.addEventListener("click", () => { go(cards.indexOf(members[0])); decide(uniform(name), true); });
      return button;
    });
    const bar = make("p", { className: "group" }, make("strong", {}, title), ...buttons);
    members[0].element.before(bar);
    return [bar, members];
  });

  // -- keys and buttons ----------------------------------------------------------------

  by("save").addEventListener("click", save);
  by("load").addEventListener("click", () => by("file").click());
  by("file").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (file) load(await file.text());
    event.target.value = "";
  });
  for (const id of ["verdict", "code", "name", "search"]) {
    by(id).addEventListener(id === "search" ? "input" : "change", () => { show(); if (id !== "search") go(0); });
  }
  for (const card of cards) {
    watcher.observe(card.element);
    card.element.addEventListener("click", (event) => {
      if (!event.target.closest("button, input")) go(cards.indexOf(card));
    });
  }
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || !cards.length) return;
    if (target.matches("input, select")) {
      if (["Enter", "Escape"].includes(key) && target.matches("input")) { target.blur(); go(here); }
      return;
    }
    const choose = CHOICES[key.toLowerCase()];
    const name = names(cards[here])[Number(key) - 1];
    const done = choose ? () => decide(choose, key !== key.toLowerCase())
      : name && cards[here].contrast[0] ? () => decide(uniform(name), true)
        : { u: back, s: save, j: () => go(here + 1), k: () => go(here - 1),
          ArrowDown: () => go(here + 1), ArrowUp: () => go(here - 1),
          c: () => { fill(cards[here]); cards[here].comment.focus(); }, "/": () => by("search").focus() }[key];
    if (done) { event.preventDefault(); done(); }
  });
  window.addEventListener("resize", fit);
  window.addEventListener("beforeprint", () => cards.filter((card) => !card.element.hidden).forEach(fill));
  window.addEventListener("beforeunload", (event) => {
    if (Object.values(decisions).some((decision) => decision.isUnsaved)) event.preventDefault();
  });
  window.spinalDecisions = text;
  window.spinalLoad = load;

  // Those of --decisions; what the browser kept counts where it was not saved, or these say nothing.
  take(data.decisions);
  try {
    for (const [key, decision] of Object.entries(JSON.parse(localStorage.getItem(STORE) || "{}"))) {
      if (lines.has(key) && (decision.isUnsaved || !decisions[key])) decisions[key] = decision;
    }
  } catch { /* nothing was kept */ }
  show();
  // The first that is not decided; a new reader begins at the top.
  const first = cards.findIndex(isOpen);
  if (first > 0) go(first);
  else if (cards.length) cards[0].element.classList.add("here");
})();
