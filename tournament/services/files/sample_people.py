"""The invented people of the sample events. Nobody here exists; numbers that begin with 99 are nobody's.

It is data alone: names of many lands and scripts, long and short, as a real list would have them.
"""

from tournament.services.people.people import NewPlayer


def people_of(table: str) -> list[NewPlayer]:
    """Read a table of people: name | country | club | EMA number, a line each.

    >>> [(person.preferred_name, person.country) for person in people_of("Fenna Oosterwaard | NLD | | ")]
    [('Fenna Oosterwaard', 'NLD')]
    """
    rows = ([cell.strip() for cell in line.split("|")] for line in table.strip().splitlines())
    return [NewPlayer(name, country=country, club=club, ema_number=number) for name, country, club, number in rows]


SANMATSURI = people_of(
    """
    Anselm Vorderbrück | DEU | Kranich und Kiefer | 99010001
    Brynja Hallorsdóttir | ISL | |
    清瀬 陽向 | JPN | 東雲三麻会 |
    Cosimo Tarabelli | ITA | Circolo dei Tre Venti | 99010004
    Dervla Quinnigan | IRL | Half-Flush Harbour |
    Ekaitz Larramendiola | ESP | |
    Fenna Oosterwaard | NLD | De Vierde Muur | 99010007
    Ghislain Mourvèdre | FRA | Les Dragons de Nacre | 99010008
    柚木 千景 | JPN | 東雲三麻会 |
    Halvard Stjernlund | NOR | Nordlys Riichi |
    Ilinca Brăduleanu | ROU | | 99010011
    Jowan Penhallick | GBR | Half-Flush Harbour | 99010012
    Maximiliane-Theodora von Wildenbruchhaus | DEU | Kranich und Kiefer |
    Linnéa Fågelström | SWE | Nordlys Riichi | 99010014
    Mbali Nkosinathela | ZAF | |
    Nerys Gwalchfryn | GBR | Nine Gates Guild | 99010016
    南風原 みなも | JPN | |
    Oisín Mac Dhúlaoich | IRL | Half-Flush Harbour |
    Petronella Zwiebelmann | CHE | Les Dragons de Nacre | 99010019
    Quirin Achleitner-Lang | AUT | |
    Radosława Wrzeszczyk | POL | Klub Czwarty Wiatr | 99010021
    Siân Trevanion | GBR | Nine Gates Guild |
    Tuomas Kuukkelinen | FIN | Nordlys Riichi | 99010023
    Uliana Vereshchynska | UKR | Klub Czwarty Wiatr |
    """
)

RAKKII_NOMI = people_of(
    """
    Aoife Brannagán | IRL | Half-Flush Harbour | 99020001
    Bartholomew Inkpenny | GBR | Nine Gates Guild | 99020002
    Callixte Dubrisson | FRA | Les Dragons de Nacre |
    月岡 さくら | JPN | 幸運飲みの会 |
    Dagny Elverhøj | DNK | Nordlys Riichi | 99020005
    Eszter Kőrisligeti | HUN | |
    Florentin Abendroth-Mayr | AUT | Kranich und Kiefer | 99020007
    Gwenllian Ap Rhobert | GBR | Nine Gates Guild |
    Hinemoa Te Rangiāhua | NZL | |
    Ioannis Karavellas | GRC | | 99020010
    橘 征四郎 | JPN | 幸運飲みの会 |
    Jacoba van der Wolkenvelde | NLD | De Vierde Muur | 99020012
    Kwabena Osei-Adomako | GHA | |
    Lourenço Valdemarinho | PRT | Os Quatro Ventos | 99020014
    Bartolomea-Innocenzia dell'Acquaserena-V | ITA | Circolo dei Tre Venti |
    Maëlys Kerguidou | FRA | Les Dragons de Nacre | 99020016
    Noor Al-Qamarani | MAR | |
    Ottilie Grauwacker | DEU | Kranich und Kiefer | 99020018
    Pádraig Ó Loingsinn | IRL | Half-Flush Harbour |
    구름새 한결 | KOR | |
    Quentin Marchbanks-Lyle | GBR | Nine Gates Guild | 99020021
    Rosalía Montefrío | ESP | Os Quatro Ventos |
    Søren Lyngbakke | DNK | Nordlys Riichi | 99020023
    白鳥 ゆうき | JPN | |
    Tamsin Polglaze | GBR | Half-Flush Harbour | 99020025
    Ulrike Feldspat | DEU | |
    Veikko Hietasalmi | FIN | Nordlys Riichi | 99020027
    Wilhelmina Dray | AUS | |
    Xanthe Petrolekas | GRC | | 99020029
    Yrsa Kolbeinsdal | ISL | Nordlys Riichi |
    Zbigniew Ćwiklicz | POL | Klub Czwarty Wiatr | 99020031
    Æthelred Fenwick-Oakes | GBR | Nine Gates Guild |
    """
)
