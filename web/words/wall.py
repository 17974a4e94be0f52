"""The words about the wall: its pages, what kept an act from being done, the acts of the trail. It decides nothing."""

from web.words.languages import Words

PAGES: Words = {
    "clock": "Clock",
    "names": "Seats by name",
    "tables": "Seats by table",
    "standings": "Standings",
    "announcements": "Announcements",
    "codes": "Codes for network and event",
}

SENTENCES: Words = {
    "wall.no_page": "Choose at least one page for the wall.",
    "wall.page_unknown": "The wall has no such page: load this one again.",
    "wall.seconds_out_of_range": "{seconds} seconds is not possible; {least} to {most} are.",
    "wall.network_missing": "A password needs the name of its network.",
    "wall.network_too_long": "The name of a network has at most {most} letters.",
    "wall.password_length": "A network's password has {least} to {most} signs; leave it empty for an open network.",
    "prizes.nothing": "No round is released yet: there are no places to reveal.",
    "prizes.not_open": "No prize giving is open: begin it first.",
    "prizes.results_moved": (
        "The results have changed since the prize giving was begun. The wall shows no place: look at the results, then "
        "start over."
    ),
    "prizes.top_out_of_range": "{top} places is not possible; 0 (all) to {most} are.",
    "prizes.step_out_of_range": "There is no step {step}; there are {most}.",
    "announcement.title_missing": "An announcement needs a title.",
    "announcement.title_too_long": "A title has at most {most} letters: a hall reads no more from afar.",
    "announcement.text_too_long": "The text has at most {most} letters: a hall reads no more from afar.",
    "announcement.ends_before": "It would end before it begins.",
    "announcement.too_many": "There are {most} announcements: change an old one.",
    "announcement.time_unreadable": "Write the time as day and hour, such as 2026-09-12 14:05.",
}

VERBS: Words = {
    "wall_pages_set": "set the pages of the wall: {pages}",
    "wall_network_set": "set the network that the wall names: {network}",
    "announcement_written": "announced “{title}”",
    "announcement_changed": "changed the announcement “{title}”",
    "announcement_moved": "moved the announcement “{title}” to place {position}",
    "announcement_taken_back": "took the announcement “{title}” back",
    "announcement_put_back": "put the announcement “{title}” back",
    "prizes_begun": "began the prize giving ({top} places; 0 is all)",
    "prizes_shown": "revealed {step} of {steps} places",
    "prizes_ended": "ended the prize giving",
}
