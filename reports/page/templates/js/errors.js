// -- errors and links to them ---------------------------------------------------------

const ANY = "*";
const STRIDE = 10;
const SENTENCE = 0, KIND = 1, CONSTRUCTION = 2, POSITION = 3, NODES = 4, GOVERNORS = 6, INSTEAD = 8, LOSS = 9;
const NULL = -1, ROOT = -2;
// A right edge that differs is a span that differs: "all kinds" counts it once.
const SPAN_RIGHT = DATA.kinds.indexOf("span-right");
// Brackets that are lost, all of them and by their parts, are kinds as well.
const LOST = "lost";
const LOSSES = Object.keys(DATA.losses);
const lostTo = (loss) => `${LOST}-${loss}`;
const HEAD = "head"; // missed or spurious
const ALL_KINDS = [HEAD, ...DATA.kinds, ...(LOSSES.length ? [LOST, ...LOSSES.map(lostTo)] : [])];

const sets = new Map(DATA.errors.map((set) => [set.name, set]));
const state = {
  dataset: 0,
  construction: ANY,
  kind: ANY,
  filter: "",
  shared: ANY, // of several parsers: errors that others make as well, or not
  type: ANY, // of the edit that mends it
  instead: ANY, // what the other side has for the word
  chosen: [], // the errors that fit
  at: 0, // which of them is shown
  view: "trees",
  sorts: new Map(), // by the place of a table: its column and direction
};
const currentSet = () => sets.get(DATA.datasets[state.dataset]);
const size = (set) => set.errors.length / STRIDE;
const field = (set, error, name) => set.errors[error * STRIDE + name];
const kindOf = (set, error) => DATA.kinds[field(set, error, KIND)];
const constructionOf = (set, error) => set.texts[field(set, error, CONSTRUCTION)];
const sentenceOf = (set, error) => set.sentences[field(set, error, SENTENCE)];
const NAME = 4; // of a sentence, or of a document, where it has one
const nameOf = (sentence) => sentence[NAME] ?? "";
// What a sentence or document is called under every parser: some lack documents, so
// that their numbers differ.
const placeKey = (sentence) => (isDiscourse && nameOf(sentence)) || sentence[0];
const wordsOf = (set, error) => sentenceOf(set, error)[1].map((word) => set.texts[word]);
const isDiscourse = DATA.leaf !== "word";
const ofParsers = DATA.noun === "parser" && DATA.errors.length > 1;
const kindName = (kind) => DATA.kindNames[kind] ?? kind;
const lossOf = (set, error) => LOSSES[field(set, error, LOSS)] ?? null;
const isOfKind = {
  [ANY]: (set, error) => field(set, error, KIND) !== SPAN_RIGHT,
  [HEAD]: (set, error) => kindOf(set, error).startsWith(HEAD),
  [LOST]: (set, error) => lossOf(set, error) !== null,
  ...Object.fromEntries(DATA.kinds.map((kind) => [kind, (set, error) => kindOf(set, error) === kind])),
  ...Object.fromEntries(LOSSES.map((loss) => [lostTo(loss), (set, error) => lossOf(set, error) === loss])),
};

// All kinds that an error is counted under.
function kindsOf(set, error) {
  const loss = lossOf(set, error);
  const named = [ANY, HEAD].filter((kind) => isOfKind[kind](set, error));
  return [...named, kindOf(set, error), ...(loss ? [LOST, lostTo(loss)] : [])];
}
const insteadOf = (set, error) => set.texts[field(set, error, INSTEAD)] ?? null;

const NO_EDIT = "no edit";

// The type of the edit that mends an error: its text begins with it.
function typeOf(set, error) {
  const at = set.links.length ? set.links[error] : -1;
  if (at < 0) return NO_EDIT;
  const [steps] = set.edits[field(set, error, SENTENCE)];
  const [number] = steps[at];
  set.typeOfText ??= new Map();
  if (!set.typeOfText.has(number)) set.typeOfText.set(number, set.texts[number].match(/^\d+\. (.+?): /)[1]);
  return set.typeOfText.get(number);
}
// "sentence 12", "document GUM_news_crane": how people find it again.
const treeName = (sentence) => {
  const name = nameOf(sentence);
  if (isDiscourse && name) return `${DATA.tree} ${name}`;
  return `${DATA.tree} ${sentence[0]}${name ? ` (${name})` : ""}`;
};

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

// Errors of a data set, as `error_link` in Python has them.
function linkTo(set, { construction = ANY, kind = ANY, ...chosen } = {}) {
  const parameters = new URLSearchParams(chosen);
  return `#${[set.name, construction, kind].map(part).join("/")}${`${parameters}` && `?${parameters}`}`;
}

// An error: of which data set, construction and kind, and where.
function pathTo(set, error) {
  const parts = [set.name, constructionOf(set, error), kindOf(set, error)];
  return `#${parts.map(part).join("/")}/${placeOf(set, error)}`;
}

// The error that is shown, among those that are listed, as it is shown.
function linkToShown() {
  const set = currentSet();
  const error = state.chosen[state.at];
  if (error === undefined) {
    const parts = [set.name, state.construction, state.kind];
    return `#${parts.map(part).join("/")}${query({})}`;
  }
  return pathTo(set, error) + query({ construction: constructionOf(set, error), kind: kindOf(set, error) });
}

// What else the address says: of a section how tables are sorted; of an error also which
// ones are listed, where that is not what the path says.
function query(path = null) {
  const parameters = new URLSearchParams();
  for (const name of Object.keys(path ?? {})) {
    if (state[name] !== path[name]) parameters.set(name, state[name]);
  }
  for (const [name, [key, usual]] of Object.entries(path ? ASKED : {})) {
    if (state[key] !== usual) parameters.set(name, state[key]);
  }
  for (const [key, [column, direction]] of state.sorts) parameters.append("sort", `${key}.${column}.${direction}`);
  return `${parameters}` && `?${parameters}`;
}

const VIEWS = ["trees", "derivations", "edit"];
// What the query of an address may ask for: in the state, and if nothing is said.
const ASKED = {
  by: ["shared", ANY],
  type: ["type", ANY],
  instead: ["instead", ANY],
  filter: ["filter", ""],
  view: ["view", "trees"],
};

function parsedLink(hash) {
  const [path, asked = ""] = hash.replace(/^#/, "").split("?");
  const parameters = new URLSearchParams(asked);
  const sorts = new Map();
  for (const text of parameters.getAll("sort")) {
    const [, key, column, direction] = text.match(/^(.+)\.(\d+)\.(ascending|descending)$/) ?? [];
    if (key) sorts.set(key, [Number(column), direction]);
  }
  const parts = path.split("/");
  if (parts.length < 2) return { section: path, sorts };
  try {
    const [dataset, construction, kind = ANY, place = null] = parts.map(decodeURIComponent);
    return {
      dataset: DATA.datasets.indexOf(dataset),
      construction,
      kind,
      place,
      sorts,
      among: { construction: parameters.get("construction") ?? construction, kind: parameters.get("kind") ?? kind },
      asked: Object.entries(ASKED).map(([name, [key, usual]]) => [key, parameters.get(name) ?? usual]),
    };
  } catch {
    return { dataset: -1, sorts };
  }
}

// Whether an error is of a construction, a kind and a type, and has this instead.
function fits(set, error, { construction, kind, type, instead } = state) {
  return (
    (kind === null || isOfKind[kind](set, error)) &&
    (construction === ANY || constructionOf(set, error) === construction) &&
    (instead === ANY || insteadOf(set, error) === instead) &&
    (type === ANY || typeOf(set, error) === type)
  );
}

// The text of a sentence in small letters, made when it is first looked into.
function smallText(set, number) {
  set.lower ??= [];
  set.lower[number] ??= set.sentences[number][1].map((word) => set.texts[word]).join(" ").toLowerCase();
  return set.lower[number];
}

// `=in`: the word in question; `#12`: the sentence; else words of the sentence.
function filterTest(set, text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return () => true;
  if (/^#./.test(wanted)) {
    const asked = wanted.slice(1);
    return (error) => {
      const sentence = sentenceOf(set, error);
      return String(sentence[0]) === asked || nameOf(sentence).toLowerCase() === asked;
    };
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
    if (!known.has(number)) known.set(number, smallText(set, number).includes(wanted));
    return known.get(number);
  };
}

// -- errors that parsers share ------------------------------------------------------------

// The same error: in the same sentence, of the same word, kind and construction.
function keysOf(set) {
  if (set.keys) return set.keys;
  set.keys = [];
  const seen = new Map();
  for (let error = 0; error < size(set); error += 1) {
    const kind = field(set, error, KIND);
    const place = `${placeKey(sentenceOf(set, error))} ${field(set, error, POSITION)} ${kind}`;
    const key = `${place} ${constructionOf(set, error)}`;
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    set.keys.push(count > 1 ? `${key} ${count}` : key);
  }
  set.known = new Set(set.keys);
  return set.keys;
}

const otherSets = (set) => DATA.errors.filter((other) => other !== set);

const isSample = (set) => size(set) < set.total;

// Where the trees of a sentence are, if this parser has an error in it.
function indexOf(set, sentence) {
  set.at ??= new Map(set.sentences.map((item, at) => [placeKey(item), at]));
  return set.at.get(placeKey(sentence));
}

// What is known of a parser's errors in a sentence: all of them, if it is in the sample.
const KNOWN = "known", LEFT_OUT = "left out", CUT = "cut";

function knowledgeOf(set, sentence) {
  set.without ??= new Set(set.leftOut);
  if (set.without.has(placeKey(sentence))) return LEFT_OUT;
  if (!isSample(set)) return KNOWN;
  const isSampled = isDiscourse ? indexOf(set, sentence) !== undefined : (sentence[0] - 1) % set.every === 0;
  return set.isWhole && isSampled ? KNOWN : CUT;
}

function alsoMadeBy(set, error) {
  const key = keysOf(set)[error];
  return otherSets(set).filter((other) => keysOf(other) && other.known.has(key));
}

function isMadeAlone(set, error) {
  const sentence = sentenceOf(set, error);
  return otherSets(set).every((other) => knowledgeOf(other, sentence) === KNOWN) && !alsoMadeBy(set, error).length;
}

const ALONE = "alone";
const FOUND = "found:"; // and a parser's name

// A gold bracket that is lost, whatever is wrong with it.
function lostKey(set, error) {
  if (lossOf(set, error) === null) return null;
  return `${placeKey(sentenceOf(set, error))} ${field(set, error, NODES)} ${constructionOf(set, error)}`;
}

// Gold brackets that are lost here and that another parser finds, on the sentences that
// all parsers are compared on.
function foundTest(set, other) {
  other.lost ??= new Set(Array.from({ length: size(other) }, (_, error) => lostKey(other, error)));
  const isKnown = (sentence) => otherSets(set).every((parser) => knowledgeOf(parser, sentence) === KNOWN);
  return (error) => {
    const key = lostKey(set, error);
    return key !== null && !other.lost.has(key) && isKnown(sentenceOf(set, error));
  };
}

// What "made by" may be.
const sharedChoices = () => [ANY, ALONE, ...[...sets.keys()].flatMap((name) => [name, FOUND + name])];

// Errors of this parser alone, or of another one too; what another one finds.
function sharedTest(set) {
  if (!ofParsers || state.shared === ANY) return () => true;
  if (state.shared === ALONE) return (error) => isMadeAlone(set, error);
  if (state.shared.startsWith(FOUND)) {
    const finder = sets.get(state.shared.slice(FOUND.length));
    return finder && finder !== set ? foundTest(set, finder) : () => true;
  }
  const other = sets.get(state.shared);
  if (!other || other === set) return () => true;
  const keys = keysOf(set);
  keysOf(other);
  return (error) => other.known.has(keys[error]);
}

function choose(error = null) {
  const set = currentSet();
  const passes = filterTest(set, state.filter);
  const isShared = sharedTest(set);
  state.chosen = [];
  for (let candidate = 0; candidate < size(set); candidate += 1) {
    if (fits(set, candidate) && isShared(candidate) && passes(candidate)) state.chosen.push(candidate);
  }
  state.at = Math.max(0, state.chosen.indexOf(error));
  fillSelects(set);
  byId("nothing").hidden = state.chosen.length > 0;
  byId("list").hidden = byId("detail").hidden = !state.chosen.length;
  renderList(true);
  renderError();
}

// Which errors: all of this parser, those that it alone makes, those of another as well.
function fillShared(set) {
  byId("shared-label").hidden = !ofParsers;
  if (!ofParsers) return;
  const others = otherSets(set);
  if ([set.name, FOUND + set.name].includes(state.shared)) state.shared = ANY;
  byId("shared").replaceChildren(
    element("option", { value: ANY }, "all"),
    element("option", { value: ALONE }, `only by ${set.name}`),
    ...others.map((parser) => element("option", { value: parser.name }, `also by ${parser.name}`)),
    ...others.map((parser) => element("option", { value: FOUND + parser.name }, `lost here, found by ${parser.name}`)),
  );
  byId("shared").value = state.shared;
}

// What may be chosen of each, and how many errors would then be listed.
function fillSelects(set) {
  const isShared = sharedTest(set);
  const where = isSample(set) ? " here" : "";
  const fill = (name, keys, { order = null, title = explained, text = (key) => key }) => {
    const counts = new Map((order ?? [state[name]]).map((key) => [key, 0]));
    const wanted = { ...state, [name]: name === "kind" ? null : ANY };
    for (let error = 0; error < size(set); error += 1) {
      if (!isShared(error) || !fits(set, error, wanted)) continue;
      for (const key of keys(set, error)) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const all = counts.get(ANY) ?? 0;
    counts.delete(ANY);
    const listed = [...counts];
    if (!order) listed.sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
    const option = (value, shownName, count) =>
      element("option", { value, title: title(value) }, `${shownName} (${count.toLocaleString("en")}${where})`);
    byId(name).replaceChildren(
      option(ANY, "all", all),
      ...listed.map(([key, count]) => option(key, text(key), count)),
    );
    byId(name).value = state[name];
  };
  fill("construction", (_, error) => [ANY, constructionOf(set, error)], {});
  fill("kind", kindsOf, {
    order: ALL_KINDS,
    title: (kind) => DATA.losses[kind.slice(LOST.length + 1)] ?? null,
    text: (kind) => (kind.startsWith(lostTo("")) ? `lost: ${kind.slice(LOST.length + 1)}` : kindName(kind)),
  });
  byId("type-label").hidden = !set.links.length;
  if (set.links.length) fill("type", (_, error) => [ANY, typeOf(set, error)], {});
  byId("instead").hidden = state.instead === ANY;
  byId("instead").textContent = `instead: ${state.instead} ×`;
  fillShared(set);
}

// -- data sets ---------------------------------------------------------------------------

// What is folded, or of a data set that was not looked at, is a text until it is shown.
function unpack(holder) {
  const packed = holder.querySelector(":scope > noscript");
  if (!packed) return;
  const parsed = element("template");
  parsed.innerHTML = packed.textContent; // markup of the page's own, every name escaped
  packed.replaceWith(parsed.content);
}

// What is shown of each data set is on the page; the rest is kept aside.
const aside = new Map();

function setShown(section, isShown) {
  if (section.hidden === !isShown) return;
  section.hidden = !isShown;
  if (isShown && aside.has(section)) section.append(aside.get(section));
  else if (!isShown && !section.querySelector(":scope > noscript")) {
    aside.set(section, document.createDocumentFragment());
    aside.get(section).append(...section.childNodes);
  }
  if (isShown) unpack(section);
}

function setUpFolds() {
  for (const fold of all("details.fold")) {
    fold.addEventListener("toggle", () => {
      unpack(fold);
      setUpTablesIn(fold.closest("section"));
    });
  }
}

function showDataset(number) {
  state.dataset = number;
  for (const section of all("section[data-dataset]")) {
    setShown(section, Number(section.dataset.dataset) === number);
  }
  for (const section of all("section:not([hidden])")) setUpTablesIn(section);
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
  byId("cap").hidden = !isSample(set);
  byId("cap").textContent = sampleText(set);
  const fits = isSample(set) ? ` among those that this page holds` : "";
  byId("no-fit").textContent = `No ${DATA.error} fits${fits}.`;
}

// How the errors of this page were taken from all.
function sampleText(set) {
  const alike = ofParsers ? ", the same for every parser" : "";
  const of = set.isWhole ? "all" : "some of";
  const next = [1, 1 + set.every, 1 + 2 * set.every].join(", ");
  const taken =
    set.every > 1 && size(set)
      ? `: ${of} those of one ${DATA.tree} in ${set.every.toLocaleString("en")} (${next}, …${alike})`
      : "";
  return (
    `This page holds ${size(set).toLocaleString("en")} of ${counted(set.total, DATA.error)}${taken}. ` +
    "Counts and filters here are of these; the tables above count all."
  );
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
      state.construction = state.kind = state.type = state.instead = ANY;
      choose();
      go(0, true);
    });
  }
}
