"""Forms: what a person fills in, mapped to plain values. They judge nothing that `scoring` or a verb judges."""
