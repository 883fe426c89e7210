/** Sentences of the console. */
export const words = {
  phases: {
    loading: "Downloading Python…",
    starting: "Starting Python…",
    ready: "Ready",
    failed: "Python did not start.",
  } as Record<string, string>,
  welcome: (version: string) => `Python ${version}, with cluewise and numpy. Type help() to begin.`,
  bound: "Your code stays in this browser: the page blocks network access from Python.",
  unbound: "Warning: this browser cannot block network access from Python. Paste only code that you trust.",
  running: "Running…",
  stopped: "Stopped. Python has restarted: your variables are gone. Press ↑ for earlier inputs.",
  installing: (names: string[]) => `Installing ${names.join(", ")}`,
  notWheels: (name: string) => `${name} is not a pure-Python wheel. Its name must end in “none-any.whl”.`,
  tooLarge: (name: string) => `${name} is larger than 50 MB.`,
  notNotebook: (name: string) => `${name} is not a Jupyter notebook (nbformat 4).`,
  noNotebook: (name: string) => `${name} could not be fetched. Are you offline?`,
  opened: (name: string, count: number) =>
    `${name}: ${count} ${count === 1 ? "code cell" : "code cells"}. Press Run for each.`,
  nextCell: (left: number) =>
    left ? `Press Run. After this cell: ${left} more.` : "Press Run. This is the last cell.",
  notebooks: {
    code: "Mastermind: classes of guesses",
    rack: "Bomb Busters: three kinds of token",
    scan: "Scan clues: bits of areas",
    mines: "Tametsi: scores of locks",
    sudoku: "Sudoku: minlex forms of a list",
  },
  busy: "Python is busy. Stop it or wait.",
  examples: [
    {
      title: "The best first guess",
      source: 'run({"desk": "code", "want": "advise", "position": {}, "options": {"top": 3}})',
    },
    {
      title: "Verbs of each desk",
      source: `from cluewise import desks
for name in desks.available():
    print(name, *(verb.name for verb in desks.load(name).verbs))
`,
    },
    {
      title: "Bits of a split",
      source: `import numpy as np
split = np.array([4, 2, 1, 1])
share = split / split.sum()
float((share * -np.log2(share)).sum())`,
    },
    {
      title: "Play 100 games",
      source: `import random
rules = {"pegs": 3, "colours": 4}
codes = run({"desk": "code", "want": "remaining", "position": {"rules": rules}, "options": {"top": 64}})["codes"]

def answer(secret, guess):
    exact = sum(a == b for a, b in zip(secret, guess))
    return exact, sum(min(secret.count(c), guess.count(c)) for c in set(guess)) - exact

def play(secret):
    clues = []
    while not clues or clues[-1]["exact"] < 3:
        position = {"rules": rules, "clues": clues}
        best = run({"desk": "code", "want": "advise", "position": position, "options": {"top": 1}})
        guess = best["options"][0]["guess"]
        exact, partial = answer(secret, guess)
        clues.append({"guess": guess, "exact": exact, "partial": partial})
    return len(clues)

games = [play(random.choice(codes)) for _ in range(100)]
print(sum(games) / len(games), "guesses on average, at most", max(games))`,
    },
  ],
};
