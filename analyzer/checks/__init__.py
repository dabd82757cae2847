"""Where a treebank, a collection of documents or an inventory contradicts itself.

The modules, in the order in which data flows through them:

    registry         the checks that there are: functions that declare their codes
    findings         suspects and findings: what is suspicious, where
    word_stream      a treebank as the checks see it
    nodes            words and phrases as one table of nodes
    rules            rules that a tree breaks by itself
    variation        the same words, annotated differently
    leave_one_out    a small model of choices that has never seen the choice it judges
    contexts         the choices that annotation is made of, and what they depend on
    model_findings   choices that the model would make otherwise
    merging          suspects that one edit would settle -> one finding
    calibration      the chance that a suspect is an error, by all evidence
    fingerprints     what a suspicious place keeps in another version of its file
    decisions        what people decided on findings, as files
    discourse        discourse trees that break a rule, or disagree with the others
    inventory        is an inventory any good?
    explanations     a construction: its pattern in words, an example, counts
    heads            are its heads right? Those of dependencies beside them
    draft_heads      which children head its phrases
    draft            an inventory for it: two files, as a draft
    votes            what parsers, and people who decided before, say against it
    evidence         what people decide a finding by: how words are annotated elsewhere
    sources          trees as they stand in their files
    unit_edits       edits of discourse trees, in the texts of their files
    fixes            the edits that findings suggest: in files, as a list, as a patch
    finding_json     findings in JSON and as SARIF
    run              all checks on treebanks or documents
"""
