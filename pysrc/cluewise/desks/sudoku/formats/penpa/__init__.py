"""Links of Penpa: read and write."""
