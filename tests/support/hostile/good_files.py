"""A good file of every format, and the commands that read it."""

from __future__ import annotations

from tests.support.hostile.files import RST_COMMANDS, SENTENCE, TREE_COMMANDS, Format

SCORES = "".join(
    f"{system}\t{segment}\t{0.1 * segment + shift:.2f}\n"
    for system, shift in (("A", 0.0), ("B", 0.2))
    for segment in range(1, 5)
)
RANKINGS = "srclang,trglang,segmentId,system1Id,system2Id,system1rank,system2rank\n" + (
    "".join(f"fr,en,{n},A,B,{1 + n % 2},{2 - n % 2}\n" for n in range(1, 5))
)
_SCORED = "{good}/gold.mrg {good}/gold.mrg"

FORMATS = {
    "lines": Format("trees.mrg", f"{SENTENCE}\n" * 8, TREE_COMMANDS),
    "indented": Format(
        "trees.mrg",
        "( (S\n    (NP (DT the) (NN cat))\n    (VP (VBD sat))))\n" * 8,
        TREE_COMMANDS,
    ),
    "free": Format(
        "trees.mrg", "(S (NP\n(DT the) (NN cat))\n(VP (VBD sat)))\n" * 8, TREE_COMMANDS
    ),
    "tiger": Format(
        "corpus.xml",
        '<?xml version="1.0"?>\n<corpus id="c">\n<body>\n'
        + "".join(
            f'<s id="s{n}"><graph root="s{n}_500">\n<terminals>\n'
            f'<t id="s{n}_1" word="Ja" pos="ADV"/>\n'
            f'<t id="s{n}_2" word="da" pos="ADV"/>\n'
            f'</terminals>\n<nonterminals>\n<nt id="s{n}_500" cat="S">\n'
            f'<edge label="HD" idref="s{n}_1"/>\n<edge label="MO" idref="s{n}_2"/>\n'
            "</nt>\n</nonterminals>\n</graph></s>\n"
            for n in range(1, 5)
        )
        + "</body>\n</corpus>\n",
        TREE_COMMANDS,
    ),
    "dis": Format(
        "doc.dis",
        "( Root (span 1 3)\n"
        "  ( Nucleus (span 1 2) (rel2par list)\n"
        "    ( Nucleus (leaf 1) (rel2par span) (text _!He left_!) )\n"
        "    ( Satellite (leaf 2) (rel2par reason) (text _!because it rained._!) ) )\n"
        "  ( Nucleus (leaf 3) (rel2par list) (text _!She stayed._!) ) )\n",
        RST_COMMANDS,
    ),
    "rs3": Format(
        "doc.rs3",
        '<rst>\n<header>\n<relations>\n<rel name="reason" type="rst"/>\n'
        '<rel name="list" type="multinuc"/>\n</relations>\n</header>\n<body>\n'
        '<segment id="1" parent="4" relname="span">He left</segment>\n'
        '<segment id="2" parent="1" relname="reason">because it rained.</segment>\n'
        '<segment id="3" parent="5" relname="list">She stayed.</segment>\n'
        '<group id="4" type="span" parent="5" relname="list"/>\n'
        '<group id="5" type="multinuc"/>\n</body>\n</rst>\n',
        RST_COMMANDS,
    ),
    "rs4": Format(
        "doc.rs4",
        '<?xml version="1.0"?>\n<rst>\n<body>\n'
        '<segment id="1" parent="3" relname="span">He left</segment>\n'
        '<segment id="2" parent="1" relname="reason">because it rained.</segment>\n'
        '<group id="3" type="span"/>\n'
        '<signals><signal source="2" type="dm" tokens="3"/></signals>\n'
        '<secedge id="1-2" source="1" target="2" relname="list"/>\n'
        "</body>\n</rst>\n",
        RST_COMMANDS,
    ),
    "rsd": Format(
        "doc.rsd",
        "1\tHe left\t0\t_\t_\tsid=1\t0\tROOT\t_\t_\n"
        "2\tbecause it rained.\t0\t_\t_\tsid=1\t1\treason_r\t_\t_\n"
        "3\tShe stayed.\t1\t_\t_\tsid=2\t1\tlist_m\t_\t_\n",
        RST_COMMANDS,
    ),
    "conllu": Format(
        "doc.conllu",
        "# newdoc id = doc\n"
        "1\tHe left\t_\t_\t_\tNuclearity=N|Rank=1\t0\tROOT\t_\tSentence=1\n"
        "2\tbecause\t_\t_\t_\tNuclearity=S|Rank=1\t1\treason\t_\tSentence=1\n"
        "3\tShe stayed.\t_\t_\t_\tNuclearity=N|Rank=2\t1\tlist\t_\tSentence=2\n",
        RST_COMMANDS,
    ),
    "table": Format(
        "doc.tsv",
        "edu\thead\trelation\ttext\n1\t0\tROOT\tHe left\n2\t1\treason\tbecause\n"
        "3\t1\tlist\tShe stayed.\n",
        RST_COMMANDS,
    ),
    "triples": Format("doc.dep", "1 0 root\n2 1 reason\n3 1 list\n", RST_COMMANDS),
    "brackets": Format(
        "doc.brackets",
        "(Root (Nucleus:list (Nucleus:span _!He left!_) "
        "(Satellite:reason _!because it rained.!_)) (Nucleus:list _!She stayed.!_))\n",
        RST_COMMANDS,
    ),
    "gcrf": Format(
        "doc.tree",
        "(list[N][N] (reason[N][S] _!He left!_ _!because it rained.!_) "
        "_!She stayed.!_)\n",
        RST_COMMANDS,
    ),
    "python": Format(
        "doc.pred",
        "ParseTree('list[N][N]', [ParseTree('reason[N][S]', ['He left', 'because'])"
        ", 'She stayed.'])\n",
        RST_COMMANDS,
    ),
    "spans": Format(
        "doc.out",
        "((1, 2), 'Nucleus', 'list')\n((1, 1), 'Nucleus', 'span')\n"
        "((2, 2), 'Satellite', 'reason')\n((3, 3), 'Nucleus', 'list')\n",
        RST_COMMANDS,
    ),
    "decisions": Format("doc.txt", "1 2 NS reason\n1-2 3 NN list\n", RST_COMMANDS),
    "json": Format(
        "doc.json",
        '{"format": "rst", "version": 1,\n "edus": ["He left", "because it rained."],\n'
        ' "units": [\n'
        '  {"span": [1, 2], "nuclearity": "root", "relation": "---", "parent": null},\n'
        '  {"span": [1, 1], "nuclearity": "nucleus", "relation": "span",'
        ' "parent": 1},\n'
        '  {"span": [2, 2], "nuclearity": "satellite", "relation": "reason",'
        ' "parent": 1}]}\n',
        RST_COMMANDS,
    ),
    "prm": Format(
        "mine.prm",
        "# parameters\nLABELED 1\nCUTOFF_LEN 40\nDELETE_LABEL TOP\n"
        "DELETE_LABEL -NONE-\nDELETE_LABEL_FOR_LENGTH -NONE-\nEQ_LABEL ADVP PRT\n",
        (f"evalb {_SCORED} --params {{file}}", f"score {_SCORED} --params {{file}}"),
    ),
    "pat": Format(
        "mine.pat",
        "# patterns\nNP-t, S-t, VP-t: ^(TAG|NT|NML)*(head:TAG|NT)$\n"
        "PP-t: (head:TAG) NT\n    yes: PP -> IN NP\n    no: PP -> NP IN\n",
        (f"score {_SCORED} --patterns {{file}}", "patterns list --patterns {file}"),
    ),
    "relmap": Format(
        "mine.relmap",
        "# classes\nlist joint\nreason explanation\n",
        (
            "rst score {good}/doc.dis {good}/doc.dis --relations {file}",
            "rst convert {good}/doc.dis --to dis --relations {file}",
        ),
    ),
    "inventory": Format(
        "mine.txt",
        "# relations\nlist multi\nreason mono\n",
        ("check --rst {good}/doc.dis --labels {file}",),
    ),
    "labels": Format(
        "mine.labels",
        "# labels\nphrase S NP VP PP\ntag DT NN VBD IN\n",
        ("check {good}/gold.mrg --kind shape --labels {file}",),
    ),
    "groups": Format(
        "groups.tsv",
        "line\tgenre\n"
        + "".join(f"{n}\t{'news' if n % 2 else 'web'}\n" for n in range(1, 9)),
        ("domains all={good}/gold.mrg:{good}/gold.mrg --group-by {file}:genre",),
    ),
    "baseline": Format(
        "known.jsonl",
        '{"fingerprint":"0123456789abcdef","verdict":"fine","code":"S101",'
        '"file":"gold.mrg","context":"the cat","message":"odd",'
        '"also":["fedcba9876543210"]}\n',
        ("check {good}/gold.mrg --kind shape --baseline {file}",),
    ),
    "model": Format(
        "model.json",
        '{"format": "spinal-discotk-model", "version": 1, "metrics": ["M"],\n'
        ' "weights": [1.0], "comparisons": 4, "signature": "none"}\n',
        (
            "discotk score --reference {good}/doc.brackets "
            "--system A={good}/doc.brackets --model {file} --metrics {good}/one.tsv",
        ),
    ),
    "scores": Format(
        "scores.tsv",
        f"system\tsegment\tM\n{SCORES}",
        ("discotk correlate --scores {file} --rankings {good}/rankings.csv",),
    ),
    "seg.scr": Format(
        "m.seg.scr",
        "".join(
            "M\tfr-en\ttest\t{}\t{}\t{}\n".format(*line.split("\t"))
            for line in SCORES.splitlines()
        ),
        ("discotk correlate --scores {file} --rankings {good}/rankings.csv",),
    ),
    "rankings": Format(
        "rankings.csv",
        RANKINGS,
        ("discotk correlate --scores {good}/scores.tsv --rankings {file}",),
    ),
    "human": Format(
        "human.sys.scr",
        "system\tscore\nA\t0.4\nB\t0.7\n",
        (
            "discotk correlate --scores {good}/scores.tsv "
            "--rankings {good}/rankings.csv --human-scores {file}",
        ),
    ),
    "segments": Format(
        "system.brackets",
        "(Root (Nucleus:span _!He left!_) (Satellite:reason _!because!_))\n" * 4,
        (
            "discotk represent {file}",
            "discotk score --reference {file} --system A={file}",
        ),
    ),
}
GOOD_FILES = {
    "gold.mrg": FORMATS["lines"].good,
    "doc.dis": FORMATS["dis"].good,
    "doc.brackets": FORMATS["brackets"].good,
    "scores.tsv": FORMATS["scores"].good,
    "one.tsv": "system\tsegment\tM\nA\t1\t0.5\n",
    "rankings.csv": FORMATS["rankings"].good,
}
