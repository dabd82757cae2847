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

// The sentence's number; of a unit in a document, the document's name and its own number.
function placeInList(set, error) {
  const sentence = sentenceOf(set, error);
  if (!isDiscourse) return `${sentence[0]}`;
  return `${nameOf(sentence) || sentence[0]} ${field(set, error, POSITION) + 1}`;
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
    element("span", { class: "number", title: treeName(sentenceOf(set, error)) }, placeInList(set, error)),
    element("span", { class: "name", title: explained(constructionOf(set, error)) }, constructionOf(set, error)),
    element("span", { class: "kind" }, kindName(kindOf(set, error))),
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

// Show one of the errors; a new entry in the browser's history if others are listed now.
function go(at, isNew = false) {
  if (!state.chosen.length) {
    if (currentSet()) address.update(isNew);
    return;
  }
  state.at = Math.min(state.chosen.length - 1, Math.max(0, at));
  keepInSight();
  renderList();
  renderError();
  address.update(isNew);
}

// The address follows what is shown. From one error to the next it is replaced: going
// back undoes a choice of errors, of a view or of an order of rows, not every step.
// Browsers refuse hundreds of changes in a few seconds, so while a key is held down it
// waits.
const address = {
  changed: 0,
  timer: 0,
  update(isNew = false) {
    clearTimeout(this.timer);
    if (isNew) {
      this.move(linkToShown());
      return;
    }
    const wait = this.changed + 250 - performance.now();
    if (wait > 0) {
      this.timer = setTimeout(() => this.update(), wait);
      return;
    }
    this.changed = performance.now();
    history.replaceState(null, "", linkToShown());
  },
  // To another place, which the way back leads away from.
  move(link) {
    clearTimeout(this.timer);
    const whole = link.includes("/") ? link : link + query();
    if (whole !== location.hash) history.pushState(null, "", whole);
  },
};
