"""Words about the relay: at the hall's desk that sends, and at the one that shows."""

from web.words.languages import Words

SENTENCES: Words = {
    "relay.address_unusable": "Write the address of the relay in full, such as https://live.example.org/.",
    "relay.code_unknown": "The relay does not know this code: it works once, within half an hour. Ask for a new one.",
    "relay.slug_taken": "The relay has an event “{slug}” of its own.",
    "relay.too_many": "Too many codes were tried at this relay: wait a quarter of an hour.",
    "relay.away": "The relay cannot be reached.",
    "relay.no_relay": (
        "A server is at this address, but it does not answer as a relay: start it with HANCHAN_RELAY=1 "
        "and HANCHAN_HOSTS."
    ),
    "relay.not_paired": "The relay no longer knows this desk: pair again with a new code.",
    "relay.not_understood": "The relay cannot read what this desk sends: update the program at both.",
    "relay.too_large": "This event is larger than a relay takes.",
    "relay.unusable": (
        "The relay cannot show the rules, timetable or address that this desk sends: update the program at both."
    ),
    "relay.broken": "This desk could not make the message: its log says why.",
    "relay.not_taken_down": (
        "The relay could not be reached and still shows what it had. Its operator can take the event down there."
    ),
    "relay.not_here": "This relay has no event “{slug}”.",
    "relay.end_first": "A relay shows this event: take it down there first.",
}
