"""Django's SQLite backend, which refuses to write where its files were replaced."""
