"""A demo: a public desk of invented events that anybody may try, and that begins again every hour."""
