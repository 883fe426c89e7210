/* The rules (constraints) of a variant in the solver's form: eight kinds, in order of cost.
 *
 * A rule's cells are numbers from 0; a domain is a mask of symbols, bit v - 1 for symbol v. `extra`
 * depends on the kind: DIFFER nothing; TABLE 2n masks, first for the values of the first cell, then
 * transposed; SET the sets of k symbols with the sum; LINEAR k coefficients, then k group ends
 * (terms of one group have equal coefficients and cells that differ; entries of other places are
 * 0); RUN and BETWEEN nothing; CONTAINS the values; LINE the whole lines, n bytes each.
 */
#ifndef CLUEWISE_VARIANT_RULES_H
#define CLUEWISE_VARIANT_RULES_H

#include "shared/arena.h"
#include "sudoku/sudoku.h"

enum { DIFFER = 1, TABLE, SET, LINEAR, RUN, BETWEEN, CONTAINS, LINE, RULE_KINDS };
enum { MOST_TERMS = 96, MOST_SIZE = 16, MOST_CELLS = MOST_SIZE * MOST_SIZE, MOST_RULES = 6000 };

typedef struct {
  i32 kind, k, value, count; /* cells; a sum or a kind of line; items of `extra` */
  const u16 *cells;
  const i32 *extra;
} Rule;

typedef struct {
  Tag seal;
  i32 n, cells, limit, found, depth, done, rules, words;
  u32 all;
  Arena arena; /* free memory */
  Rule *rule;
  u32 *domains, *rest;    /* of each level: all domains; untried values of the chosen cell */
  i32 *chosen;            /* the chosen cell of each level */
  u64 *due, *of_cell;     /* bits of rules: those to run; of each cell, `words` words: its rules */
  u8 *differ;             /* cells x cells: whether two cells differ */
  i32 *weight;            /* of each cell: its rules, and how often one of them failed */
} Variant;

/* Reads the rules (see sudoku_variant_begin) and sorts them by kind; OK, BAD or TOO_LARGE. */
i32 variant_read_rules(Variant *v, const i32 *rules, i32 length);
i32 variant_line_value(const u8 *line, i32 n, i32 type);

#endif
