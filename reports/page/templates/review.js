"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const cards = [...document.querySelectorAll("article")];
  const key = "spinal-check";  // one store: a new page of the same treebank knows it
  const names = new Map(data.findings.map((one) => [one.id, one.fingerprint]));
  const groups = new Map(data.findings.map((one) => [one.id, one.group]));
  const undo = [];
  let decisions = {};
  let here = 0;
  try { decisions = JSON.parse(localStorage.getItem(key) || "{}"); } catch { decisions = {}; }

  const keep = () => {
    try { localStorage.setItem(key, JSON.stringify(decisions)); } catch { /* a file may have no store */ }
  };
  const header = document.querySelector("header");
  const fit = () => {  // a card must not stop under the heading
    const covered = getComputedStyle(header).position === "sticky" ? header.offsetHeight : 0;
    document.documentElement.style.scrollPaddingTop = covered + 8 + "px";
  };
  const show = () => {
    let made = 0;
    for (const card of cards) {
      const decision = decisions[names.get(card.id)] || "";
      card.dataset.decision = decision;
      if (decision) made += 1;
    }
    document.getElementById("progress").textContent = made + " of " + cards.length + " decided";
    fit();
  };
  // Cards of another code than the chosen one are hidden: those are passed over.
  const nearest = (to, step) => {
    let at = to;
    while (at >= 0 && at < cards.length && cards[at].hidden) at += step;
    return at >= 0 && at < cards.length ? at : here;
  };
  const go = (to) => {
    if (!cards.length) return;
    cards[here].classList.remove("here");
    here = nearest(Math.max(0, Math.min(cards.length - 1, to)), to < here ? -1 : 1);
    cards[here].classList.add("here");
    cards[here].scrollIntoView({ block: "start" });
    cards[here].focus({ preventScroll: true });
  };
  const of = (card) => decisions[names.get(card.id)] || "";
  const onward = () => {
    const next = cards.findIndex((card, at) => at > here && !card.hidden && !of(card));
    go(next < 0 ? here + 1 : next);
  };
  const decide = (decision, all) => {
    const group = groups.get(cards[here].id);
    const chosen = all
      ? cards.filter((card, at) => at === here || (!of(card) && groups.get(card.id) === group))
      : [cards[here]];
    undo.push([here, chosen.map((card) => [names.get(card.id), of(card)])]);
    for (const card of chosen) decisions[names.get(card.id)] = decision;
    keep();
    show();
    onward();
  };
  const back = () => {
    const last = undo.pop();
    if (!last) return;
    for (const [name, decision] of last[1]) decisions[name] = decision;
    keep();
    show();
    go(last[0]);
  };
  const save = (name, text) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/tab-separated-values" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  // A spreadsheet must not run a cell as a formula: as `spreadsheet_cell` in Python.
  const cell = (value) => {
    const text = /^[=+\-@\t\r]/.test(value) ? "'" + value : value;
    return /["\t\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };
  const table = (rows) => rows.map((row) => row.map(cell).join("\t")).join("\n") + "\n";
  const list = () => {
    const fixes = data.findings.filter((one) => one.fix);
    return table([data.columns, ...fixes.map((one) => [decisions[one.fingerprint] || "", ...one.fix.slice(1)])]);
  };
  // All decisions, with or without an edit: for people, and for a page to read again.
  const decided = () => {
    const rows = data.findings.filter((one) => decisions[one.fingerprint]);
    const columns = ["decision", "fingerprint", "code", "edit", "where", "about"];
    return table([columns, ...rows.map((one) =>
      [decisions[one.fingerprint], one.fingerprint, one.code, one.fix ? "yes" : "no", one.where, one.about])]);
  };
  const load = (text) => {
    const known = new Set(names.values());
    let read = 0;
    for (const line of text.split(/\r?\n/)) {
      const [decision, name] = line.split("\t");
      if (!["yes", "no", "later"].includes(decision) || !known.has(name)) continue;
      decisions[name] = decision;
      read += 1;
    }
    keep();
    show();
    document.getElementById("progress").textContent += "; " + read + " read from the file";
  };
  const ignored = () => data.findings
    .filter((one) => decisions[one.fingerprint] === "no")
    .map((one) => one.fingerprint + "  # " + one.about).join("\n") + "\n";
  window.spinalFixList = list;
  window.spinalIgnored = ignored;
  window.spinalDecisions = decided;
  window.spinalLoad = load;

  document.getElementById("export").addEventListener("click", () => save("fixes.tsv", list()));
  document.getElementById("export-ignore").addEventListener("click", () => save("spinalignore.txt", ignored()));
  document.getElementById("save").addEventListener("click", () => save("decisions.tsv", decided()));
  document.getElementById("load").addEventListener("click", () => document.getElementById("file").click());
  document.getElementById("file").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (file) load(await file.text());
    event.target.value = "";
  });

  // Drawings are made when their cards come near: hundreds at once take seconds.
  const drawings = new Map(data.findings.map((one) => [one.id, one.drawings]));
  const draw = (card) => {
    const given = drawings.get(card.id);
    if (!given) return;
    drawings.delete(card.id);
    for (const one of given) {
      const image = document.createElement("img");
      image.alt = one.alt;
      image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(one.svg);
      card.querySelector("figure").append(image);
    }
  };
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      watcher.unobserve(entry.target);
      draw(entry.target);
    }
  }, { rootMargin: "600px" });
  const height = ({ svg }) => Number((svg.match(/height="([\d.]+)"/) || [0, 0])[1]);
  for (const card of cards) {
    // Room for them, so that nothing jumps when they come.
    const room = Math.max(0, ...drawings.get(card.id).map(height));
    card.querySelector("figure").style.minHeight = Math.min(room, 240) + "px";
    watcher.observe(card);
  }
  window.addEventListener("beforeprint", () => cards.filter((card) => !card.hidden).forEach(draw));

  for (const [at, card] of cards.entries()) {
    for (const decision of ["yes", "no", "later"]) {
      card.querySelector("." + decision).addEventListener("click", () => { go(at); decide(decision); });
    }
    card.addEventListener("click", (event) => { if (event.target.tagName !== "BUTTON") go(at); });
  }
  const choose = (code) => {
    for (const card of cards) card.hidden = code !== "" && card.dataset.code !== code;
    go(cards.findIndex((card) => !card.hidden));
  };
  const select = document.getElementById("code");
  select.addEventListener("change", () => { choose(select.value); select.blur(); });
  // The index leads to a card, whatever is chosen.
  for (const link of document.querySelectorAll(".index a")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const at = cards.findIndex((card) => "#" + card.id === link.getAttribute("href"));
      if (cards[at].hidden) { select.value = ""; choose(""); }
      go(at);
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select, summary")) return;
    const done = {
      y: () => decide("yes"), n: () => decide("no"), l: () => decide("later"), u: back,
      Y: () => decide("yes", true), N: () => decide("no", true), L: () => decide("later", true),
      j: () => go(here + 1), k: () => go(here - 1),
      ArrowDown: () => go(here + 1), ArrowUp: () => go(here - 1),
      e: () => document.getElementById("export").click(),
    }[event.key];
    if (done) { event.preventDefault(); done(); }
  });
  window.addEventListener("resize", fit);
  show();
  // The first that is not decided; a new reader begins at the top, with the index.
  const first = cards.findIndex((card) => !of(card));
  if (first > 0) go(first);
  else if (cards.length) cards[0].classList.add("here");
})();
