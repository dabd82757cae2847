"""Where bytes come from and where they go.

The modules, in the order in which data flows through them:

    urls         files by URL: what fsspec opens
    encodings    which encoding a text seems to be in
    sources      where bytes come from
    small_files  files that are read whole, as they are small
    xml          XML from anywhere, read a little at a time
    atomic       files are written whole or not at all
    inputs       what an argument stands for: which files, looked at and then read
"""
