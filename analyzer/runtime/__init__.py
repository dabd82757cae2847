"""Where the work is done: in this process, in others, on a cluster.

The modules, in the order in which data flows through them:

    build_id     which spinal this is, to the last line of its code
    typed_json   values as JSON and back, without pickle: a file may come from anyone
    checkpoints  finished tasks in a folder, so that a run that was killed can go on
    memory       what becomes of freed memory in a process of ours
    processes    processes on this machine that do tasks, and never outlive this one
    connection   the connection to a Dask scheduler, encrypted or not
    cluster      work on a cluster
    executor     work divided among processes or a cluster
"""
