"""Trees as text and as SVG, and bars.

The modules, in the order in which data flows through them:

    outline         what a drawing shows of a tree, a derivation or discourse, and where
    tree_text       trees in a terminal
    discourse_text  discourse trees in a terminal
    svg             parts of SVG drawings: style, elements, panels of a document
    latex           trees as LaTeX; and what a picture has for every format
    tree_svg        trees as SVG: self-contained, for web pages, notebooks and papers
    discourse_svg   discourse trees as SVG: RST diagrams, and dependency trees
    lost_svg        where a score goes, as an SVG element of a page
"""
