"""DiscoTK: discourse trees and tree kernels for judging translations.

Joty, Guzmán, Màrquez and Nakov (2014).

The modules, in the order in which data flows through them:

    representations  a discourse tree in the five shapes of Joty et al.
    segments         one discourse tree a segment: read, or parsed from raw text
    score_tables     scores of metrics and rankings of people, as WMT writes them
    evaluation       how well scores agree with people; weights learned from rankings
    scoring          kernel scores of translations, and their combinations
    functions        all of it from Python: score, represent, tune, correlate
"""
