"""The record of an event: what its acts sealed, the log over them, and the signed heads of that log."""
