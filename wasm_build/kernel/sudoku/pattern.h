/* The least pattern of givens of a 9x9 board, and every order of its lines that attains it. */
#ifndef CLUEWISE_SUDOKU_PATTERN_H
#define CLUEWISE_SUDOKU_PATTERN_H

#include "sudoku/board.h"

/* Rows and columns in an order; what is tied is in ascending order. */
typedef struct { u8 turned, cols[9], row[9], spare; } Leaf;

/* Neighbouring columns and stacks that are equal in the pattern. */
typedef struct {
  u8 stack01, stack12; /* stacks 0 and 1 (1 and 2) */
  u8 columns[3];       /* of a stack: 2 for positions 0 and 1, + 1 for 1 and 2 */
} Ties;

/* A partial choice: one to three bands, and the columns in an order. */
typedef struct {
  u8 turned, depth, band[3], order[3]; /* of rows, by ORDERS */
  u8 stack[3], columns[3];             /* position -> source stack, the order of its columns */
} Choice;

/* A band that may be next: the pattern's rows for each order of its rows, 27 bits a lane. */
typedef struct {
  Bytes rows[2];
  u32 choice;
  u16 band, orders; /* bit o: rows without givens are in index order */
} Next;

enum { ALL_CHOICES = 2592 }; /* orientations and orders of rows */

/* Lists the orders that attain the least pattern. `filled`: bit c of filled[t][r] if row r of the
 * board (t = 1: of its transpose) has a given in column c. Work: 2 * ALL_CHOICES choices, as many
 * bands. Returns the number of leaves, at most ALL_CHOICES, ordered by `turned`, then by rows; of
 * equivalent orders of lines without givens only one. */
i32 least_pattern(const u32 filled[2][9], Choice *choices, Next *bands, Leaf *leaves, Ties *ties);

#endif
