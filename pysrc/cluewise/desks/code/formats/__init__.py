"""Games of Mastermind and Bulls & Cows as other people write them down."""
