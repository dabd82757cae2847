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
