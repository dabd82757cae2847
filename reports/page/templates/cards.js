"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const cards = [...document.querySelectorAll("article")];
  const key = "spinal-check-" + data.name;
  const undo = [];
  let decisions = {};
  let here = 0;
  try { decisions = JSON.parse(localStorage.getItem(key) || "{}"); } catch { decisions = {}; }

  const keep = () => {
    try { localStorage.setItem(key, JSON.stringify(decisions)); } catch { /* a file may have no store */ }
  };
  const show = () => {
    let made = 0;
    for (const card of cards) {
      const decision = decisions[card.id] || "";
      card.dataset.decision = decision;
      if (decision) made += 1;
    }
    document.getElementById("progress").textContent = made + " of " + cards.length + " decided";
  };
  const go = (to) => {
    if (!cards.length) return;
    cards[here].classList.remove("here");
    here = Math.max(0, Math.min(cards.length - 1, to));
    cards[here].classList.add("here");
    cards[here].scrollIntoView({ block: "start" });
    cards[here].focus({ preventScroll: true });
  };
  const decide = (decision) => {
    const id = cards[here].id;
    undo.push([id, decisions[id] || ""]);
    decisions[id] = decision;
    keep();
    show();
    go(here + 1);
  };
  const back = () => {
    const last = undo.pop();
    if (!last) return;
    decisions[last[0]] = last[1];
    keep();
    show();
    go(cards.findIndex((card) => card.id === last[0]));
  };
  const save = (name, text) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/tab-separated-values" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const list = () => {
    const rows = [data.columns];
    for (const one of data.findings) {
      if (!one.fix) continue;
      rows.push([decisions[one.id] || "", ...one.fix.slice(1)]);
    }
    return rows.map((row) => row.join("\t")).join("\n") + "\n";
  };
  const ignored = () => data.findings
    .filter((one) => decisions[one.id] === "no")
    .map((one) => one.fingerprint + "  # " + one.about).join("\n") + "\n";
  window.spinalFixList = list;
  window.spinalIgnored = ignored;

  document.getElementById("export").addEventListener("click", () => save("fixes.tsv", list()));
  document.getElementById("export-ignore").addEventListener("click", () => save("spinalignore.txt", ignored()));
  for (const [at, card] of cards.entries()) {
    for (const decision of ["yes", "no", "later"]) {
      card.querySelector("." + decision).addEventListener("click", () => { go(at); decide(decision); });
    }
    card.addEventListener("click", (event) => { if (event.target.tagName !== "BUTTON") go(at); });
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const done = {
      y: () => decide("yes"), n: () => decide("no"), l: () => decide("later"), u: back,
      j: () => go(here + 1), k: () => go(here - 1),
      ArrowDown: () => go(here + 1), ArrowUp: () => go(here - 1),
      e: () => document.getElementById("export").click(),
    }[event.key];
    if (done) { event.preventDefault(); done(); }
  });
  show();
  go(Math.max(0, cards.findIndex((card) => !decisions[card.id])));
})();
