"""Web Push: phones that asked are told of their table by the push service of their browser, sealed for them alone."""
