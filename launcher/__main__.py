"""`python -m hanchan_desk` is `hanchan-desk`."""

from hanchan_desk import main

main()
