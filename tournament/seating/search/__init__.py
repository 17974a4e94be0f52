"""Who sits where in every round: schedules for tables of three and four, with a report counted from the bare rounds.

Knows numbers only: no people, no database, no Django. In the literature a schedule is a solution of the social golfer
problem, or a whist tournament with k at a table. `draw.draw_schedule` draws a whole event, in this order:

1. `schedule.Field` checks the request; `annealing.SearchBudget` turns seconds into steps; `schedule.Rng` is seeded.
2. `rotations.ready_drafts` offers drafts without a search: stored difference matrices and starters, linear difference
   matrices, developed by rotation, and `longest_rounds`, which combines them.
3. `wishes.settle` draws the labels of the players. `draw` takes the first draft at its known best or at
   `quality.least_repeats`, else `annealing.reduce_repeats` adds rounds to the longest without a repeat.
4. Wishes about pairs: `wishes.relabel`, then `outcome.search_by_wishes` swaps seats (`annealing.improve`).
5. `placing.number_tables` spreads tables, `renumber_tables` mixes rooms, `seat_by_winds` gives seats.
6. `quality.assess` counts the report; `outcome.judge_wishes` judges the wishes.

`draw.draw_uneven` does this for players who do not fill the tables, `redraw.redraw` for the rounds left after the
start. Rounds by standing are apart: `by_standing` takes a `Pairing`, sets the tables by format or searches them
(`search_round`), and counts the report of a round (`count_round`).

`annealing.anneal` is the one loop of all annealing; each search gives it a set of moves. `scripts/find_schedules.py`
finds new lines for `stored_schedules.txt`.
"""
