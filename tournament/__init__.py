"""What happened: the event, its people, draws, ledgers, sheets, penalties and audit, and the verbs over them.

It words nothing and knows no request; it asks `scoring` what a hand is worth and `rules` what is played.
"""
