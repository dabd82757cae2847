"""DiscoTK: discourse trees and tree kernels for judging translations.

Joty, Guzmán, Màrquez and Nakov (2014). The modules, in the order in which data flows
through them:

    representations  a discourse tree in five shapes: NOLEX, LEX1, LEX1.1, LEX2, LEX2.1
    segments       one discourse tree a segment, from files
    score_table    segment scores: systems x segments x metrics
    wmt_files      human rankings and metric scores, as WMT writes them
    inputs         both of these, for the same language pairs
    mt_metrics     BLEU, chrF, TER, ROUGE-L through other packages (extra `mt`)
    scoring        kernel scores, DiscoTK-light and -party, ties broken
    correlation    Kendall's tau in WMT's ways, Spearman, Pearson, expected wins
    tuning         weights learned from human rankings; the model file
    evaluation     metrics against humans: one table, with bootstrap intervals
    judging        correlations, and tuned weights, with their signatures
"""
