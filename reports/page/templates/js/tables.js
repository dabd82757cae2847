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
      if (text) cell.setAttribute("title", `${name}: ${text}`);
    }
  }
}

// Tables of a data set that is never looked at need no buttons.
const readyTables = new WeakSet();

function setUpTablesIn(section) {
  for (const block of all("div.table", section)) {
    if (readyTables.has(block)) continue;
    readyTables.add(block);
    setUpTable(block);
  }
}

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
    const first = head.dataset.first ?? "ascending"; // of a score: the worst first
    const second = first === "ascending" ? "descending" : "ascending";
    const next = { none: first, [first]: second, [second]: "none" };
    button.addEventListener("click", () =>
      sort(column, next[head.getAttribute("aria-sort")]),
    );
  });

  explainNames(table);
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

// -- on paper ---------------------------------------------------------------------------

const SHEET = 1000; // pixels of a sheet, across

// Tables that are wider than a sheet are made smaller; all of the page has its tables.
function beforePrint() {
  for (const table of all("div.table table")) {
    if (!table.offsetWidth) continue;
    table.style.zoom = "";
    // On paper letters are smaller, and cells closer together.
    const needed = table.scrollWidth * (matchMedia("print").matches ? 1 : 0.72);
    if (needed > SHEET) table.style.zoom = String(SHEET / needed);
  }
}

function afterPrint() {
  for (const table of all("div.table table")) table.style.zoom = "";
}
