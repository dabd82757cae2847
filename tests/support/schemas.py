"""The JSON Schemas of `reports/schemas`: written from what commands print.

    python -m tests.support.schemas

A field has the unit of the column of the same name, where a table of the command has
one: counts are integers; ratios, differences and other numbers may be null. Of other
fields the types are those that were printed. Objects whose keys are data (labels, names
of systems) are in `BY_NAME`; every other key must be named in docs/json.md. The runs
are those of benchmarks/manifest.py, and `MORE`.
"""

from __future__ import annotations

import json
import os
import re
import runpy
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from reports.model import View
from reports.schemas import schema_name
from tests.support.command import spinal
from tests.support.data_paths import ROOT

# By its path: other distributions have a package `benchmarks`, too.
_MANIFEST = runpy.run_path(str(ROOT / "benchmarks" / "manifest.py"))
BOTH, NEWS, SETS, WEB = (_MANIFEST[name] for name in ("BOTH", "NEWS", "SETS", "WEB"))
LINES, words_of = _MANIFEST["LINES"], _MANIFEST["words_of"]
SCHEMAS = ROOT / "reports" / "schemas"
DRAFT = "https://json-schema.org/draft/2020-12/schema"
MORE = [
    f"score {NEWS} --functions",
    f"score {WEB} --causes --queries {{ex}}/queries/english.toml",
    f"domains {SETS} --causes",
    f"generalise {NEWS.replace(' ', ':')} {WEB.replace(' ', ':')}",
    f"find NP=np<PP {BOTH.split()[0]} --group-by {{ex}}/web.tsv:genre",
    "find NP=np<PP {ex}/web.gold.mrg",
    "find NP=np<PP {ex}/treebanks/letters.gold.psd --count",
    "find --queries {ex}/queries/english.toml {ex}/web.gold.mrg",
    "find S<NP {ex}/treebanks/letters.gold.psd",
    "find --gold {ex}/web.gold.mrg --parsed {ex}/web.chart.mrg NP=np<PP",
    "compare {ex}/web.gold.mrg A={ex}/web.chart.mrg,{ex}/web.greedy.mrg "
    "B={ex}/web.greedy.mrg,{ex}/web.chart.mrg",
    "rst score {ex}/discourse {ex}/discourse_chart --classification",
    "rst score {ex}/discourse {ex}/discourse_chart --faithfulness",
]
# Objects whose keys are data (names of systems, of segments, of metrics), and rows that
# have such fields beside others (systems, types of error, keys of breakdowns).
MAPS = {
    *("ledgers", "nodes", "reasons", "scores", "segments", "micro_f1", "micro_f1."),
    *("weights", "human", "human.", "kappas", "ratios", "tau"),
    *("discotk-correlate.comparisons", "discotk-tune.comparisons"),
}
MIXED = {
    *("constructions", "crossed_brackets", "crossed_heads", "repairs"),
    *("repairs_by_system", "rows", "systems"),
}
_ENDS = ("_low", "_high", "_std", "_min", "_max")  # of an interval, of a range


def lines(*, with_data: bool) -> Iterator[str]:
    """Command lines whose output is JSON; of the samples, or also of other data."""
    listed = [line for line, formats in LINES if "json" in formats] + MORE
    for line in listed:
        if "&&" not in line and (with_data or "{data}" not in line):
            yield line


@cache
def printed(line: str) -> tuple[Any, dict[str, str]]:
    """What a command prints as JSON (None if it fails), and its columns' units."""
    units: dict[str, str] = {}
    with_notes = View.with_notes

    def noting(view: View, notes: Any) -> View:
        for table in (*view.tables, *filter(None, [view.main]), *view.files):
            units.update({column.name: column.unit for column in table.columns})
        return with_notes(view, notes)

    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        View.with_notes = noting  # type: ignore[method-assign]
        try:
            ran = spinal(*words_of(line), "--format", "json")
        finally:
            View.with_notes = with_notes  # type: ignore[method-assign]
            os.chdir(here)
    return json.loads(ran.out) if ran.out else None, units


@cache
def documented() -> frozenset[str]:
    """The names in docs/json.md."""
    text = (ROOT / "docs" / "json.md").read_text("utf-8")
    return frozenset(re.findall(r"\w+", " ".join(re.findall(r"`([^`\n]+)`", text))))


class Schemas:
    """What is known of each command's JSON."""

    def __init__(self) -> None:
        self.values: dict[str, list[Any]] = defaultdict(list)
        self.units: dict[str, dict[str, str]] = defaultdict(dict)
        self.undocumented: set[str] = set()
        self.command = ""

    def add(self, line: str) -> None:
        data, units = printed(line)
        if isinstance(data, dict) and "schema" in data:
            self.values[data["schema"].split("/")[1]].append(data)
            self.units[data["schema"].split("/")[1]].update(units)

    def schema(self, command: str) -> dict[str, Any]:
        values, self.command = self.values[command], command
        shape = self._shape(values, "", self.units[command])
        shape["properties"]["schema"] = {"const": values[0]["schema"]}
        name = schema_name(command.replace("-", " "))
        title = f"What spinal {command.replace('-', ' ')} --format json prints"
        return {"$schema": DRAFT, "$id": name, "title": title, **shape}

    def _shape(
        self, values: list[Any], name: str, units: dict[str, str]
    ) -> dict[str, Any]:
        types = {_type_of(value) for value in values}
        if types == {"null"}:
            return {}  # what it may be was not seen
        unit = units.get(name, "text")
        if unit == "count" and types <= {"integer", "number", "null"}:
            types -= {"number"} if "integer" in types else set()
        elif unit != "text" and types <= {"integer", "number", "null"}:
            types = {"number", "null"}
        if "number" in types:
            types -= {"integer"}
            types |= {"null"}  # a ratio of nothing
        schema: dict[str, Any] = {"type": sorted(types)}
        if len(types) == 1:
            schema["type"] = types.pop()
        objects = [value for value in values if isinstance(value, dict)]
        if objects:
            schema |= self._object(objects, name, units)
        items = [item for value in values if isinstance(value, list) for item in value]
        if items:
            schema["items"] = self._shape(items, name, units)
        return schema

    def _object(
        self, objects: list[dict[str, Any]], name: str, units: dict[str, str]
    ) -> dict[str, Any]:
        fields: dict[str, list[Any]] = defaultdict(list)
        for key, value in (pair for one in objects for pair in one.items()):
            fields[key].append(value)
        is_map = name in MAPS or f"{self.command}.{name}" in MAPS
        known = {key for key in fields if not is_map and _is_documented(key)}
        schema: dict[str, Any] = {
            "properties": {
                key: self._shape(fields[key], key, units)
                for key in fields
                if key in known
            },
            "required": [key for key in fields if len(fields[key]) == len(objects)],
        }
        if others := [key for key in fields if key not in known]:
            if not is_map and name not in MIXED:
                self.undocumented |= {f"{name}.{key}" for key in others}
            inside = [value for key in others for value in fields[key]]
            # What is in a map has no name of its own.
            schema["additionalProperties"] = self._shape(inside, f"{name}.", units)
            schema["required"] = [key for key in schema["required"] if key in known]
        return {key: value for key, value in schema.items() if value}


def _is_documented(key: str) -> bool:
    stems = (key.removesuffix(end) for end in _ENDS if key.endswith(end))
    return key in documented() or any(stem in documented() for stem in stems)


def _type_of(value: Any) -> str:
    names = {bool: "boolean", int: "integer", float: "number", str: "string"}
    names |= {list: "array", dict: "object", type(None): "null"}
    return names[type(value)]


def written(schemas: Schemas) -> Iterable[tuple[Path, str]]:
    for command in sorted(schemas.values):
        text = json.dumps(schemas.schema(command), indent=1, ensure_ascii=False)
        yield SCHEMAS / f"{command}.json", text + "\n"


def main() -> None:
    schemas = Schemas()
    for line in lines(with_data=True):
        schemas.add(line)
    for path, text in written(schemas):
        path.write_text(text, "utf-8")
        print(path.relative_to(ROOT))
    for name in sorted(schemas.undocumented):
        print(f"not in docs/json.md: {name}")


if __name__ == "__main__":
    main()
