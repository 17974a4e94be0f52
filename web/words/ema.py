"""What the federation would stumble over, in sentences for the organiser. It judges nothing: see exports/ema_check."""

from web.words.languages import Words

SENTENCES: Words = {
    "ema.sanma": "This is a game for {players}. EMA ranks riichi for four only: no list takes these results.",
    "ema.other_rules": "The event was played by the rules “{rules}”, not by EMA's own book.",
    "ema.host_missing": "The country where it was played is missing.",
    "ema.host_unknown": "“{given}” is no code of a country: three letters, such as DEU or GBR.",
    "ema.place_missing": "The town is missing.",
    "ema.days": "{days} days: an event has at least one.",
    "ema.rounds": "{rounds} of {planned} rounds are counted: what is held or not released is not in the file.",
    "ema.number_missing": "No EMA number: {people}. They are listed, and the result counts for no ranking.",
    "ema.number_invalid": "{who}: “{number}” is no EMA number, which has {digits} digits.",
    "ema.number_federation": "No federation that this desk knows gives EMA numbers that begin with {start}:"
    " {people}.",
    "ema.number_country": "{who}: number {number} is from {home}, the country given is {country}.",
    "ema.number_twice": "EMA number {number} stands with more than one player: {people}.",
    "ema.country_missing": "No country: {people}.",
    "ema.country_unknown": "{who}: “{given}” is no code of a country: three letters, such as DEU or GBR.",
    "ema.name_half": "EMA wants a first and a last name: {people}. Enter the full name with the player; here it stays"
    " as it is.",
    "ema.name_twice": "{times} players are called {who}.",
    "ema.place_gap": "Place {place} follows where place {expected} should be.",
    "ema.shared": "Place {place} is shared: {people}. EMA prints running places, and all of them get the base rank of"
    " the better one.",
    "ema.shared_unlike": "Place {place} is shared with unlike totals: {people}.",
    "ema.order": "{who} has more points than {ahead} and stands behind.",
    "ema.cut": "A cut took points, so that the results of the rounds do not add up to the total: {people}.",
    "ema.total": "{who}: the total is {total}; results less penalties are {wanted}.",
    "ema.games": "Not all {rounds} rounds played: {people}.",
    "ema.nobody": "There are no results yet.",
    "ema.few_players": "{count} players only: ask your federation whether that is enough for the list.",
    "ema.few_countries": "All players are from one country ({country}).",
    "ema.left_out": "Played and have no place: {people}. EMA counts up to {limit} substitutes among the players; they"
    " are not in the file.",
}  # fmt: skip
