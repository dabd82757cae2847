"""DiscoTK: discourse trees and tree kernels for judging translations.

Joty, Guzmán, Màrquez and Nakov (2014).

The modules, in the order in which data flows through them:

    representations  a discourse tree in the five shapes of Joty et al.
    segments         one discourse tree a segment
    score_table      segment scores as one array
    wmt_files        human rankings and metric scores as WMT's metrics tasks write them
    mt_metrics       further metrics from other packages
    correlation      how well scores agree with people
    tuning           weights learned from human rankings
    evaluation       metrics against humans
    inputs           what DiscoTK reads: names of shapes, score files, rankings
    scoring          kernel scores of translations, and their combinations
    judging          metrics judged by people's rankings, and weights learned from these
    parsing          raw translations as discourse trees: a segment a line, parsed
"""
