"""Where the work is done: this process, others, a cluster."""
