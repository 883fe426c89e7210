"""Other people's notations for boards, in and out."""
