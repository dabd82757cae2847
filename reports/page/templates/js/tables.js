// -- tables: sorting and filtering -----------------------------------------------

const ROWS_WORTH_A_FILTER = 8;

// What a construction is, for whoever points at its name.
const explained = (name) => (Object.hasOwn(DATA.explanations, name) ? DATA.explanations[name] : null);

function explainNames(table) {
  for (const row of table.tBodies[0].rows) {
    for (const cell of row.cells) {
      if (cell.classList.contains("n")) continue;
      const name = (cell.querySelector("a") ?? cell).textContent;
      const text = explained(name);
      if (text) (cell.querySelector("a") ?? cell).dataset.hint = text;
    }
  }
}

// Tables of a data set that is never looked at need no buttons. By their places on the
// page: what sorts each of those that were looked at.
const readyTables = new Map();

function setUpTablesIn(section) {
  for (const block of all("div.table", section)) {
    const key = `${section.id}.${block.dataset.place}`;
    if (readyTables.has(key)) continue;
    readyTables.set(key, setUpTable(block, (sorted) => {
      if (sorted) state.sorts.set(key, sorted);
      else state.sorts.delete(key);
      address.move(`#${section.id}`);
    }));
    if (state.sorts.has(key)) readyTables.get(key)(...state.sorts.get(key));
  }
}

// Every table as the address says.
function sortTables() {
  for (const [key, sort] of readyTables) sort(...(state.sorts.get(key) ?? [0, "none"]));
}

function setUpTable(block, onSort) {
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
    const button = element("button", { type: "button", "data-hint": explained(head.textContent) }, head.textContent);
    head.replaceChildren(button);
    head.setAttribute("aria-sort", "none");
    const first = head.dataset.first ?? "ascending"; // of a score: the worst first
    const second = first === "ascending" ? "descending" : "ascending";
    const next = { none: first, [first]: second, [second]: "none" };
    button.addEventListener("click", () => {
      const direction = next[head.getAttribute("aria-sort")];
      sort(column, direction);
      onSort(direction === "none" ? null : [column, direction]);
    });
  });

  explainNames(table);
  if (original.length >= ROWS_WORTH_A_FILTER) addTools(block, original);
  return sort;
}

// A filter of rows; and all of a table that is too high for its frame, on the screen and on paper.
function addTools(block, original) {
  const table = block.querySelector("table");
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
  const tools = element("div", { class: "table-tools" }, input, count);
  if (original.length > ROWS_ON_PAPER) {
    const button = element("button", { type: "button", "aria-pressed": "false" }, "Show all rows");
    button.addEventListener("click", () => {
      const isOpen = block.classList.toggle("open");
      button.setAttribute("aria-pressed", String(isOpen));
      button.textContent = isOpen ? "Show fewer rows" : "Show all rows";
    });
    tools.append(button);
  }
  block.prepend(tools);
}

// -- on paper ---------------------------------------------------------------------------

const SHEET = 1000; // pixels of a sheet, across
const ROWS_ON_PAPER = 10; // of a table that is not open: the others are not in sight either

// Rows that are printed only if the table is open, and a line that says so.
function foldRows() {
  for (const block of all("div.table")) {
    const rows = all("tbody tr", block).filter((row) => !row.hidden);
    const beyond = block.classList.contains("open") ? [] : rows.slice(ROWS_ON_PAPER);
    for (const row of beyond) row.classList.add("beyond");
    if (!beyond.length) continue;
    const note = `The first ${ROWS_ON_PAPER} of ${counted(rows.length, "row")}; the page has all of them.`;
    block.append(element("p", { class: "note on-paper" }, note));
  }
}

// Tables that are wider than a sheet are made smaller; all of the page has its tables.
function beforePrint() {
  afterPrint();
  foldRows();
  for (const table of all("div.table table")) {
    if (!table.offsetWidth) continue;
    table.style.zoom = "";
    // On paper letters are smaller, and cells closer together.
    const needed = table.scrollWidth * (matchMedia("print").matches ? 1 : 0.72);
    if (needed > SHEET) table.style.zoom = String(SHEET / needed);
  }
}

function afterPrint() {
  for (const row of all("tr.beyond")) row.classList.remove("beyond");
  for (const line of all(".on-paper")) line.remove();
  for (const table of all("div.table table")) table.style.zoom = "";
}
