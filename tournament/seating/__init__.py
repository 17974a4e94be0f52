"""Who sits where in every round: schedules for tables of three and four, with a report counted from the bare rounds.

Knows numbers only: no people, no database, no Django. In the literature a schedule is a solution of the social golfer
problem, or a whist tournament with k at a table. `draw.draw_schedule` draws a whole event, in this order:

1. `schedule.Field` checks the request; `search_budget.SearchBudget` turns seconds into steps; `rng.Rng` is seeded.
2. `constructions.ready_drafts` offers drafts without a search: stored difference matrices and starters
   (`stored_schedules`), linear difference matrices, developed by `cyclic`. `constructions.searched_drafts` searches for
   starters (`cyclic.find_starters`).
3. `relabelling.settle` draws the labels of the players. `draw` takes the first draft at its known best or at
   `bounds.least_repeats`, else `local_search.reduce_repeats` anneals.
4. Wishes about pairs: `relabelling.relabel`, then `wish_search.search_by_wishes` swaps seats (`local_search.improve`).
5. `table_numbers.number_tables` spreads tables, `renumber_tables` mixes rooms, `winds.seat_by_winds` gives seats.
6. `quality.assess` counts the report; `outcome.judge_wishes` judges the wishes.

`uneven.draw_uneven` does this for players who do not fill the tables, `redraw.redraw` for the rounds left after the
start. Rounds by standing are apart: `by_standing` takes a `pairing.Pairing`, sets the tables by format or searches
them (`swiss.search_round`, `large_neighbourhood`), and returns a `round_report.RoundReport` with them.

`annealing.anneal` is the one loop of all annealing; each search gives it a set of moves. `find_stored` is a script that
finds new lines for `stored_schedules.txt`.
"""
