"""The built site in a real browser: fixtures that every end-to-end test uses."""
