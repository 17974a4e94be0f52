"""What a hall's desk sends to a relay on the internet, as messages."""
