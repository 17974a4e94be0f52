"""A hall on one machine: phones that poll and referees who enter, against the server that organisers start."""
