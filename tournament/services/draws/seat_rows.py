"""Rounds, tables and seats written as rows, for the verbs that draw them. It decides nothing and is no verb itself."""

from collections.abc import Sequence

from tournament.models import Event, Player, Round, Seat, Table


def seat_rounds(event: Event, rounds: Sequence[Sequence[Sequence[Player]]]) -> list[Round]:
    """Write rounds of tables of players in seat order, within a change; the rounds follow those that are there."""
    first = event.rounds.count() + 1
    made = Round.objects.bulk_create([Round(event=event, number=first + index) for index in range(len(rounds))])
    tables = Table.objects.bulk_create(
        Table(round=round_, number=number)
        for round_, drawn in zip(made, rounds, strict=True)
        for number in range(1, len(drawn) + 1)
    )
    seated = (table for drawn in rounds for table in drawn)
    Seat.objects.bulk_create(
        Seat(round=table.round, table=table, seat=seat, player=player)
        for table, players in zip(tables, seated, strict=True)
        for seat, player in enumerate(players)
    )
    return made
