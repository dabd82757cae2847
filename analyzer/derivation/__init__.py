"""Heads, spines and how they attach: trees into derivation trees.

The modules, in the order in which data flows through them:

    brackets    the brackets of trees that count, and where words stand after deletion
    columns     derivation trees
    deriver     what turns trees into derivation trees
    syntax      derivation trees of syntax
    units       heads, nuclearity and relation of every unit, as columns
    discourse   constructions of discourse: schemas and links (DESIGN, section 3)
    characters  brackets and derivations by places in a text
    spines      a sentence's derivation tree as people read it
    dependencies  the same as dependencies, and as CoNLL-U
"""
