"""What logs of online games add: the pages that read them as hands."""

from django.urls import path

from tournament.pages.hooks import Addresses


def list_addresses() -> Addresses:
    """Return the addresses; imports the views."""
    from tournament.online_logs import views as game_import
    from tournament.online_logs import views as online_games

    return Addresses(
        table=[path("import/", game_import.game, name="import_game")],
        desk=[path("<slug:slug>/imports/games/", online_games.games, name="import_games")],
    )
