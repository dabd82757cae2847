"""Trees as text and as SVG.

The modules, in the order in which data flows through them:

    box_grid           lines that meet, in a terminal
    outline            what a drawing of a tree shows, and where
    derivations        derivation trees as they are drawn
    discourse_outline  discourse trees as they are drawn
    lines              outlines of trees as lines of text
    svg_style          how SVG drawings look
    svg                parts of SVG drawings
    dependency_svg     dependency trees of discourse as SVG
    discourse_layout   where the parts of an RST diagram stand
    pairs              two trees in one drawing
    discourse_svg      discourse trees as SVG in the style of RST diagrams
    tree_svg           trees as SVG: self-contained, for web pages, notebooks and papers
    tree_text          trees in a terminal
    discourse_text     discourse trees in a terminal
    edits              an edit drawn: the tree before and after it
"""
