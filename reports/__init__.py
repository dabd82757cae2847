"""What people see: tables, drawings, plots and the page. Values in, text out.

The modules, in the order in which data flows through them:

    model      a table as values: what it says, not how it looks
    render     a table as text, Markdown, LaTeX, CSV, TSV, JSON lines or HTML
    schemas    what the JSON of each command contains: a JSON Schema each
    drawing    trees as text and as SVG
    plots      plots, with matplotlib (extra: plots)
    tables     the tables, the JSON and the view of each analysis
    pictures   drawings of trees as files: SVG, PDF, PNG and LaTeX
    page       the HTML page
    views      what is shown of each result; in a notebook, as HTML
    instances  rows of instances as CSV, TSV, JSON lines or Parquet, a block at a time
"""
