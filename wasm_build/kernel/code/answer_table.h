/* Canonical forms of tables of answers, to recognise equivalent states of the game (see canon.c).
 *
 * TABLE: m columns of n labels each (u8 below `labels`), a row a secret, a column a vector of
 * answers to some guess. Two tables are equivalent if a bijection of rows and one of columns map
 * one to the other, and labels are
 *     LABELLED    fixed                                        (A; columns: answers)
 *     RENAMED     permuted, alike in all columns; `win` fixed  (B; a set of codes: columns are the
 *                 pegs, labels the colours, and there is no win)
 *     UNLABELLED  permuted in each column; `win` fixed         (STAR)
 * KEY: a 128-bit hash of the canonical form: equal for equivalent tables, else different but for
 * collisions.
 */
#ifndef CLUEWISE_CODE_CANON_H
#define CLUEWISE_CODE_CANON_H

#include "code.h"

enum { MOST_LABELS = 96, NO_WIN = 255, MOST_ROWS = 8192 };
typedef enum Renaming { LABELLED = 0, RENAMED = 1, UNLABELLED = 2 } Renaming;

/* code_canon_bytes(n, labels): bytes of memory for a table with n rows. */
i32 code_canon_bytes(i32 n, i32 labels);

/* code_canon_start(memory, table, n, m, labels, win, renaming): begins the search for a table's
 * canonical form; the table must stay in place. win: a label, or NO_WIN.
 * code_canon_step(memory, budget): 1 = more to do, 0 = done; the budget counts labels read. With
 * budget 0 it ends after the first refinement, whose key `code_canon_read` then returns: equal for
 * equivalent tables, and perhaps for others. TOO_LARGE after 2^20 refinements.
 * code_canon_read(memory, out u64[3 + n + labels]): the key, the number of automorphisms (of rows,
 * and for RENAMED of labels), then a colour for each row and each label: an equivalence of two
 * tables with one key maps each row and label to the one of equal colour. */
i32 code_canon_start(u8 *memory HAS(code_canon_bytes(n, labels)), const u8 *table HAS(n * m), i32 n, i32 m,
                     i32 labels, i32 win, i32 renaming);
i32 code_canon_step(u8 *memory LIVE, i32 budget);
i32 code_canon_read(const u8 *memory LIVE, u64 *out HAS(3 + first(memory) + second(memory)));

/* code_canon_key(memory, out u64[3]): the first three of them. */
i32 code_canon_key(const u8 *memory LIVE, u64 *out HAS(3));

/* code_set_keys(rules, codes, total, starts, from, to, memory, bytes, out): for the sets of codes
 * from … to-1 (set i is codes[starts[i]] … codes[starts[i + 1] - 1]) the key of the set up to
 * permutations of pegs and colours in out[3i], out[3i + 1], and the order of its stabiliser in
 * out[3i + 2]. memory: code_canon_bytes(largest, MAX_COLOURS), and 16 bytes and a byte
 * a peg for each code of the largest set. */
i32 code_set_keys(i32 rules, const Code *codes HAS(total), i32 total, const u32 *starts HAS(to + 1), i32 from,
                  i32 to, u8 *memory HAS(bytes), i32 bytes, u64 *out HAS(3 * to));

/* code_table(rules, space, from, to, secrets, n, unlabelled, table u8[room * n], room,
 * slots u64[2^bits], bits, columns): adds the columns of guesses from … to-1 to a table that has
 * `columns` of them, equal ones once; unlabelled: cells but the win are numbered by appearance.
 * slots: hash table, zeros at first, 2^bits >= 2 * room. Returns the new number of columns;
 * TOO_LARGE if it exceeds room. */
i32 code_table(i32 rules, const Code *space HAS(to), i32 from, i32 to, const Code *secrets HAS(n), i32 n,
               i32 unlabelled, u8 *table HAS(room * n), i32 room, u64 *slots HAS(power(bits)), i32 bits,
               i32 columns);

#endif
