// -- following links -------------------------------------------------------------------------

// Show what an address names. A link of the page leaves the rest as it is: which errors
// are listed, unless it names others, and how tables are sorted.
function follow(hash, isOwnLink = false) {
  const link = parsedLink(hash);
  if (!isOwnLink) {
    state.sorts = link.sorts;
    sortTables();
  }
  const isSection = link.section !== undefined;
  const set = isSection || link.dataset < 0 ? null : sets.get(DATA.datasets[link.dataset]);
  if (!set) {
    if (!isOwnLink) listAll();
    if (isSection) showSection(link.section);
    else notice("The address names a data set that is not in this page.");
    return;
  }
  let error = null;
  if (link.place !== null) {
    for (let number = 0; number < size(set) && error === null; number += 1) {
      if (
        kindOf(set, number) === link.kind &&
        constructionOf(set, number) === link.construction &&
        placeOf(set, number) === link.place
      ) error = number;
    }
  }
  const isMissing = link.place !== null && error === null;
  notice(isMissing ? "The address names an error that is not in this page." : "");
  showDataset(link.dataset);
  state.kind = Object.hasOwn(isOfKind, link.among.kind) ? link.among.kind : ANY;
  state.construction = link.among.construction || ANY;
  Object.assign(state, Object.fromEntries(link.asked));
  if (!sharedChoices().includes(state.shared)) state.shared = ANY;
  if (!VIEWS.includes(state.view)) state.view = "trees";
  byId("filter").value = state.filter;
  choose(error);
  byId("errors").scrollIntoView();
}

// The errors as a page shows them first.
function listAll({ keepsShown = false } = {}) {
  const error = keepsShown ? (state.chosen[state.at] ?? null) : null;
  state.construction = state.kind = ANY;
  for (const [key, usual] of Object.values(ASKED)) state[key] = usual;
  byId("filter").value = "";
  if (currentSet()) choose(error);
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

function isInSight(section) {
  const { top, bottom } = section.getBoundingClientRect();
  return top < innerHeight * 0.6 && bottom > innerHeight * 0.3;
}

function nearestFilter() {
  const inputs = all("[data-filter]").filter((input) => input.offsetParent !== null);
  return inputs.find((input) => isInSight(input.closest("section"))) ?? byId("filter");
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
  Escape: () => {
    const { view } = state;
    listAll({ keepsShown: true });
    state.view = view;
    go(state.at, true);
  },
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
    if (key !== "Escape") return;
    if (target.type === "search" && target.value) {
      target.value = "";
      target.dispatchEvent(new Event("input", { bubbles: true }));
    }
    event.preventDefault();
    target.blur();
    return;
  }
  // In a tree's panel the arrows scroll it.
  if (key.startsWith("Arrow") && target.classList.contains("tree")) return;
  const action = (target.id === "list" && LIST_KEYS[key]) || KEYS[key];
  const isOfPage = key === "?" || key === "/";
  if (!action || (!currentSet() && !isOfPage)) return;
  // Keys move what is in sight; where the errors are not, j and k lead to them.
  const isShown = isOfPage || isInSight(byId("errors"));
  if (!isShown && key !== "j" && key !== "k") return;
  event.preventDefault();
  if (isShown) {
    action();
    return;
  }
  address.move("#errors");
  byId("errors").scrollIntoView();
}

// -- start -----------------------------------------------------------------------------------

function setUpErrors() {
  byId("controls").addEventListener("submit", (event) => event.preventDefault());
  for (const name of ["construction", "kind", "type", "shared"]) {
    byId(name).addEventListener("change", (event) => {
      state[name] = event.target.value;
      choose();
      go(state.at, true);
    });
  }
  byId("instead").addEventListener("click", () => {
    state.instead = ANY;
    choose(state.chosen[state.at] ?? null);
    go(state.at, true);
  });
  // What is typed at a time is one entry of the history.
  let isTyped = false;
  const filter = later(80, () => {
    state.filter = byId("filter").value;
    choose(state.chosen[state.at] ?? null);
    go(state.at, !isTyped);
    isTyped = true;
  });
  byId("filter").addEventListener("input", filter);
  byId("filter").addEventListener("focus", () => {
    isTyped = false;
  });
  byId("reset").addEventListener("click", () => {
    listAll();
    go(0, true);
  });
  byId("previous").addEventListener("click", () => go(state.at - 1));
  byId("next").addEventListener("click", () => go(state.at + 1));
  byId("list").addEventListener("scroll", () => renderList(), { passive: true });
  byId("show-trees").addEventListener("click", () => setView("trees"));
  byId("show-derivations").addEventListener("click", () => setView("derivations"));
  byId("show-edit").addEventListener("click", () => setView("edit"));
  byId("fold").addEventListener("change", redraw);
  byId("others").addEventListener("change", redraw);
  byId("others-label").hidden = !ofParsers;
  byId("list").classList.toggle("documents", isDiscourse);
  addEventListener("resize", later(120, redraw));
  let ownLink = null;
  document.addEventListener("click", ({ target }) => {
    ownLink = target.closest("a[href^='#']")?.getAttribute("href") ?? null; // of SVG as well
  });
  // Back, forward, and links of the page.
  addEventListener("popstate", () => {
    clearTimeout(address.timer);
    const isOwnLink = location.hash === ownLink;
    ownLink = null;
    follow(location.hash, isOwnLink);
    if (isOwnLink && !location.hash.includes("?")) history.replaceState(null, "", location.hash + query());
  });
}

setUpTheme();
setUpBar();
setUpTips();
setUpDatasets();
setUpFolds();
setUpErrors();
byId("help-button").addEventListener("click", () => byId("help").showModal());
byId("close-help").addEventListener("click", () => byId("help").close());
document.addEventListener("keydown", onKey);
addEventListener("beforeprint", beforePrint);
addEventListener("afterprint", afterPrint);
showDataset(0);
follow(location.hash);
document.documentElement.dataset.ready = String(Math.round(performance.now())); // ms
