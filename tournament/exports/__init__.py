"""Files that leave the house: pure functions from frozen rows to bytes. They read no database and reckon no score."""
