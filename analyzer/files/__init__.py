"""Where bytes come from and where they go.

The modules, in the order in which data flows through them:

    urls           files by URL: what fsspec opens
    sources        where bytes come from
    changed_lines  a stream whose lines are changed as they are read
    small_files    files that are read whole, as they are small
    xml            XML from anywhere, read a little at a time
    atomic         files are written whole or not at all
    finding        which files a name stands for
    inputs         what an argument stands for
"""
