"""Open play: four sit down when they want, and each table is a round of its own."""
