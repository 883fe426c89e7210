/* Canonical forms of tables: which states of the game are one state (see canon.c).
 *
 * TABLE: m columns of n labels each (u8 below `labels`), a row a secret, a column a way in which
 * the secrets answer. Two tables are the same if a bijection of rows and one of columns carry one
 * to the other, where
 *     LABELLED    labels stay as they are                         (A; columns: answers)
 *     RENAMED     one renaming of the labels, `win` stays         (B; a set of codes: columns are
 *                 the pegs, labels the colours, and there is no win)
 *     UNLABELLED  every column renames by itself, `win` stays     (STAR)
 * KEY: two words, equal for tables that are the same, and else different but for a collision of
 * 128-bit hashes.
 */
#ifndef CLUEWISE_CODE_CANON_H
#define CLUEWISE_CODE_CANON_H

#include "code.h"

enum { MOST_LABELS = 96, NO_WIN = 255, MOST_ROWS = 8192 };
typedef enum Renaming { LABELLED = 0, RENAMED = 1, UNLABELLED = 2 } Renaming;

/* code_canon_bytes(n, labels): memory for the form of a table with n rows. */
i32 code_canon_bytes(i32 n, i32 labels);

/* code_canon_start(memory, table, n, m, labels, win, renaming): begins the search for a table's
 * canonical form; the table must stay where it is. win: a label, or NO_WIN.
 * code_canon_step(memory, budget): 1 = more to do, 0 = done; a unit is a label looked at. With
 * budget 0 it stops after the first refinement, whose key `code_canon_read` then gives: equal for
 * tables that are the same, perhaps for others too. TOO_LARGE after 2^20 refinements.
 * code_canon_read(memory, out u64[3 + n + labels]): the key, the number of automorphisms (as they
 * act on rows, and for RENAMED on labels), then a colour for each row and for each label: rows
 * of equal colours in two tables with one key go to each other, and so do labels. */
i32 code_canon_start(u8 *memory HAS(code_canon_bytes(n, labels)), const u8 *table HAS(n * m),
                     i32 n, i32 m, i32 labels, i32 win, i32 renaming);
i32 code_canon_step(u8 *memory LIVE, i32 budget);
i32 code_canon_read(const u8 *memory LIVE, u64 *out HAS(3 + first(memory) + second(memory)));

/* code_canon_key(memory, out u64[3]): the first three of them. */
i32 code_canon_key(const u8 *memory LIVE, u64 *out HAS(3));

/* code_set_keys(rules, codes, total, starts, from, to, memory, bytes, out): for the sets of codes
 * from … to-1 (set i is codes[starts[i]] … codes[starts[i + 1] - 1]) the key of the set up to
 * permutations of pegs and colours at out[3i], out[3i + 1], and how many of these permutations
 * keep it at out[3i + 2]. memory: code_canon_bytes(largest, MAX_COLOURS), and 16 bytes and a byte
 * a peg for each code of the largest set. */
i32 code_set_keys(i32 rules, const Code *codes HAS(total), i32 total, const u32 *starts HAS(to + 1),
                  i32 from, i32 to, u8 *memory HAS(bytes), i32 bytes, u64 *out HAS(3 * to));

/* code_table(rules, space, from, to, secrets, n, unlabelled, table u8[room * n], room,
 * slots u64[2^bits], bits, columns): adds the columns of guesses from … to-1 to a table that has
 * `columns` of them, each once; unlabelled: its cells numbered as they come, the win kept. slots:
 * zeros at first, 2^bits >= 2 * room. Returns the columns now; TOO_LARGE over room. */
i32 code_table(i32 rules, const Code *space HAS(to), i32 from, i32 to, const Code *secrets HAS(n),
               i32 n, i32 unlabelled, u8 *table HAS(room * n), i32 room,
               u64 *slots HAS(power(bits)), i32 bits, i32 columns);

#endif
