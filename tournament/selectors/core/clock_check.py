"""Whether the computer's clock was set back: an act that is written is still to come.

It reads the audit trails alone, and changes nothing.
"""

import datetime as dt

from django.db.models import Max

from tournament.models import AuditRow

TOLERANCE = dt.timedelta(seconds=30)  # a computer that is set by the network moves by less


def get_act_to_come(now: dt.datetime) -> dt.datetime | None:
    """Return the moment of the latest act that is written where that moment is still to come; else None."""
    latest = AuditRow.objects.aggregate(Max("at"))["at__max"]
    return latest if latest and latest - now > TOLERANCE else None
