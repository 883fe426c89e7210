"""What the kernel knows about boards, as functions on `Cells`."""
