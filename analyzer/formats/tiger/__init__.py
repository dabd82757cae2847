"""TIGER-XML.

The modules, in the order in which data flows through them:

    discontinuity  crossing branches resolved
    sentence       one sentence of TIGER-XML: checked, and built as a tree
    reader         TIGER-XML, sentence by sentence, as trees of brackets
"""
