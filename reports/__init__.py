"""What people see: tables, drawings, plots and the page. Values in, text out.

The modules, in the order in which data flows through them:

    model      a table as values: what it says, not how it looks
    render     a table as text, Markdown, LaTeX, CSV, TSV or HTML
    drawing    trees as text and as SVG
    tables     the tables and the JSON of each analysis
    plots      plots, with matplotlib (extra: plots)
    page       the HTML page
    notebook   results in a notebook: styled tables, and plots if matplotlib is there
    instances  rows of instances as CSV, TSV, JSON lines or Parquet, a block at a time
"""
