/* Reads a packed board and the clues of a state: cells in clues are renumbered, each clue becomes a
 * bit mask over them with the mines that it still needs. Checks every index of the input.
 *
 * Then preprocessing to a fixpoint: clues that are empty or full fix their cells, and a clue that
 * is a subset of another is subtracted from it. Cost: O(clues^2 words) a round. */
#include "mines.h"

static i32 rising(const i32 *start, i32 count, i32 most) {
  if (start[0] != 0) return 0;
  for (i32 i = 0; i < count; i++)
    if (start[i + 1] < start[i] || start[i + 1] > most) return 0;
  return 1;
}

/* Without branches, so that it is vectorised. */
static i32 all_cells(const i32 *list, i32 length, i32 cells) {
  u32 most = 0;
  for (i32 i = 0; i < length; i++) most = (u32)list[i] > most ? (u32)list[i] : most;
  return length == 0 || most < (u32)cells;
}

i32 mines_read_board(Board *board, const i32 *packed, i32 length) {
  if (length < 4) return BAD;
  i32 cells = packed[0], groups = packed[1];
  if (cells < 0 || cells > MINES_CELLS || groups < 0 || groups > MINES_GROUPS) return BAD;
  i32 head = 2 + (cells + 1) + (groups + 1) + groups;
  if (length < head) return BAD;
  board->cells = cells;
  board->groups = groups;
  board->neighbour_start = packed + 2;
  board->group_start = board->neighbour_start + cells + 1;
  board->group_count = board->group_start + groups + 1;
  board->neighbours = packed + head;
  i32 rest = length - head;
  if (!rising(board->neighbour_start, cells, rest)) return BAD;
  i32 edges = board->neighbour_start[cells];
  board->members = board->neighbours + edges;
  if (!rising(board->group_start, groups, rest - edges)) return BAD;
  if (edges + board->group_start[groups] != rest) return BAD;
  return all_cells(board->neighbours, rest, cells) ? OK : BAD;
}

/* Add a clue, less its known mines; 0 if it cannot hold. Its unknown cells are gathered without an
 * unpredictable branch; most numbers of a long game have none. */
static i32 add_clue(Problem *p, i32 name, i32 need, const i32 *list, i32 length) {
  enum { BLOCK = 64 };
  u64 *mask = mask_of(p, p->clues);
  i32 found[BLOCK], size = 0, low = p->cells, high = -1;
  for (i32 at = 0; at < length; at += BLOCK) {
    i32 count = 0;
    for (i32 i = at; i < min32(length, at + BLOCK); i++) {
      i32 local = p->local_of[list[i]];
      need -= local == LOCAL_FLAG;
      found[count] = local;
      count += local >= 0;
    }
    for (i32 i = 0; i < count; i++) {
      set_bit(mask, found[i]);
      low = min32(low, found[i]);
      high = max32(high, found[i]);
    }
  }
  i32 from = low >> 6, to = (high >> 6) + 1;
  for (i32 w = from; w < to; w++) size += popcount64(mask[w]);
  p->from[p->clues] = (i16)from;
  p->to[p->clues] = (i16)to;
  if (need < 0 || need > size) return 0;
  if (size) {
    p->need[p->clues] = need;
    p->size[p->clues] = size;
    p->name[p->clues++] = name;
  }
  return 1;
}

static i32 take_arrays(Problem *p, const Board *board, const i16 *state, Arena *arena) {
  i32 numbers = 0;
  for (i32 c = 0; c < board->cells; c++) numbers += state[c] >= 0;
  size_t most = (size_t)(numbers + board->groups + 1), cells = (size_t)board->cells + 1;
  p->local_of = arena_take(arena, sizeof(i16) * cells);
  p->board_of = arena_take(arena, sizeof(i16) * cells);
  p->value = arena_take(arena, cells);
  p->need = arena_take(arena, sizeof(i32) * most);
  p->size = arena_take(arena, sizeof(i32) * most);
  p->name = arena_take(arena, sizeof(i32) * most);
  p->from = arena_take(arena, sizeof(i16) * most);
  p->to = arena_take(arena, sizeof(i16) * most);
  if (!p->local_of || !p->board_of || !p->value || !p->need || !p->size || !p->name || !p->from || !p->to)
    return TOO_LARGE;
  p->cells = 0;
  for (i32 c = 0; c < board->cells; c++) {
    if (state[c] < STATE_FLAG) return BAD;
    p->local_of[c] = state[c] == STATE_FLAG ? LOCAL_FLAG : LOCAL_NONE;
    if (state[c] != STATE_UNKNOWN) continue;
    p->local_of[c] = (i16)p->cells;
    p->board_of[p->cells++] = (i16)c;
  }
  p->words = max32(1, (p->cells + 63) / 64);
  size_t bytes = sizeof(u64) * most * (size_t)p->words;
  p->mask = arena_take(arena, bytes);
  if (!p->mask) return TOO_LARGE;
  memset(p->mask, 0, bytes); /* one call for all: each has a high fixed cost */
  return OK;
}

static i32 read_problem(Problem *p, const Board *board, const i16 *state, const u8 *active, Arena *arena) {
  i32 status = take_arrays(p, board, state, arena);
  if (status != OK) return status;
  p->board_cells = board->cells;
  p->clues = 0;
  status = 1;
  memset(p->value, -1, (size_t)p->cells);
  for (i32 g = 0; g < board->groups; g++) {
    i32 from = board->group_start[g], length = board->group_start[g + 1] - from;
    if (active && !active[g]) continue;
    if (!add_clue(p, g, board->group_count[g], board->members + from, length)) status = 0;
  }
  for (i32 c = 0; c < board->cells; c++) {
    i32 from = board->neighbour_start[c], length = board->neighbour_start[c + 1] - from;
    if (state[c] < 0 || (active && !active[board->groups + c])) continue;
    if (!add_clue(p, board->groups + c, state[c], board->neighbours + from, length)) status = 0;
  }
  return status;
}

i32 mines_begin(u8 *work, i32 size, size_t head, Arena *arena, Board *board, Problem *p, const i32 *packed,
                i32 length, const i16 *state, const u8 *active) {
  if (!state || ((uintptr_t)work & 15) || mines_read_board(board, packed, length) != OK) return BAD;
  if (size < (i32)head + 64) return TOO_LARGE;
  memset(work, 0, head);
  *arena = arena_after(work, head, (size_t)size);
  return read_problem(p, board, state, active, arena);
}

i32 mines_take_lists(const Problem *p, Arena *arena, i32 **first_cell, i16 **cells_of, i32 **first_clue,
                     i16 **clues_of) {
  i32 edges = 0, *clue_at, *cell_at;
  i16 *cells, *clues;
  for (i32 q = 0; q < p->clues; q++) edges += p->size[q];
  if (!ARENA_TAKE(arena, cell_at, p->clues + 1) || !ARENA_TAKE(arena, cells, edges + 1) ||
      !ARENA_TAKE_ZEROED(arena, clue_at, p->cells + 2) || !ARENA_TAKE(arena, clues, edges + 1))
    return TOO_LARGE;
  edges = 0;
  for (i32 q = 0; q < p->clues; q++) {
    cell_at[q] = edges;
    for (i32 w = p->from[q]; w < p->to[q]; w++)
      for (u64 rest = mask_of(p, q)[w]; rest; rest &= rest - 1) {
        cells[edges] = (i16)(w * 64 + lowest64(rest));
        clue_at[cells[edges++] + 2]++;
      }
  }
  cell_at[p->clues] = edges;
  for (i32 x = 0; x < p->cells; x++) clue_at[x + 2] += clue_at[x + 1];
  for (i32 q = 0; q < p->clues; q++)
    for (i32 k = cell_at[q]; k < cell_at[q + 1]; k++) clues[clue_at[cells[k] + 1]++] = (i16)q;
  *first_cell = cell_at;
  *cells_of = cells;
  *first_clue = clue_at;
  *clues_of = clues;
  return OK;
}

/* ---------------------------------------------------------------- preprocessing */

typedef struct Fixed {
  u64 known[MINES_WORDS], mine[MINES_WORDS];
  i32 any;
} Fixed;

/* Collect the cells that trivial clues fix. 0 where two disagree or a need is impossible. */
static i32 collect(const Problem *p, Fixed *fixed) {
  memset(fixed, 0, sizeof *fixed);
  for (i32 q = 0; q < p->clues; q++) {
    i32 need = p->need[q], size = p->size[q];
    if (need < 0 || need > size) return 0;
    if (size == 0 || (need > 0 && need < size)) continue;
    const u64 *mask = mask_of(p, q);
    fixed->any = 1;
    for (i32 w = p->from[q]; w < p->to[q]; w++) {
      u64 clash = need ? fixed->known[w] & ~fixed->mine[w] : fixed->mine[w];
      if (clash & mask[w]) return 0;
      fixed->known[w] |= mask[w];
      if (need) fixed->mine[w] |= mask[w];
    }
  }
  return 1;
}

static void apply(Problem *p, const Fixed *fixed, u8 *changed) {
  for (i32 w = 0; w < p->words; w++)
    for (u64 rest = fixed->known[w]; rest; rest &= rest - 1) {
      i32 bit = lowest64(rest);
      p->value[w * 64 + bit] = (i8)(fixed->mine[w] >> bit & 1);
    }
  for (i32 q = 0; q < p->clues; q++) {
    u64 *mask = mask_of(p, q);
    for (i32 w = p->from[q]; w < p->to[q]; w++) {
      u64 gone = mask[w] & fixed->known[w];
      if (!gone) continue;
      mask[w] ^= gone;
      p->size[q] -= popcount64(gone);
      p->need[q] -= popcount64(gone & fixed->mine[w]);
      changed[q] = 1;
    }
  }
}

/* Narrow the range of mask words in which a clue has cells. */
static void narrow(Problem *p, i32 q) {
  const u64 *mask = mask_of(p, q);
  while (p->from[q] < p->to[q] && !mask[p->from[q]]) p->from[q]++;
  while (p->from[q] < p->to[q] && !mask[p->to[q] - 1]) p->to[q]--;
}

/* One pass of B := B - A for A a subset of B. Skips pairs of clues unchanged since the last pass:
 * nearly all in a long game. */
static i32 subtract_subsets(Problem *p, u8 *changed) {
  u8 now[MINES_CLUES];
  i32 any = 0;
  memset(now, 0, (size_t)p->clues);
  for (i32 a = 0; a < p->clues; a++) {
    const u64 *inner = mask_of(p, a);
    narrow(p, a);
    const i32 from = p->from[a], to = p->to[a];
    for (i32 b = 0; b < p->clues && p->size[a]; b++) {
      if (b == a || p->size[b] < p->size[a] || !(changed[a] | changed[b] | now[a] | now[b])) continue;
      u64 *outer = mask_of(p, b);
      i32 w = from;
      while (w < to && !(inner[w] & ~outer[w])) w++;
      if (w < to) continue;
      for (w = from; w < to; w++) outer[w] ^= inner[w];
      p->size[b] -= p->size[a];
      p->need[b] -= p->need[a];
      now[b] = 1;
      any = 1;
    }
  }
  memcpy(changed, now, (size_t)p->clues);
  return any;
}

/* Drop empty clues; 0 if one of them still needs mines. */
static i32 drop_empty(Problem *p, u8 *changed) {
  for (i32 q = 0; q < p->clues;) {
    if (p->size[q]) {
      q++;
      continue;
    }
    if (p->need[q]) return 0;
    i32 last = --p->clues;
    p->need[q] = p->need[last];
    p->size[q] = p->size[last];
    p->name[q] = p->name[last];
    changed[q] = changed[last];
    p->from[q] = p->from[last];
    p->to[q] = p->to[last];
    if (q < last) /* an empty clue's mask is 0 throughout */
      for (i32 w = p->from[q]; w < p->to[q]; w++) mask_of(p, q)[w] |= mask_of(p, last)[w];
  }
  return 1;
}

i32 mines_simplify(Problem *p) {
  u8 changed[MINES_CLUES];
  Fixed fixed;
  memset(changed, 1, (size_t)p->clues);
  for (;;) {
    if (!collect(p, &fixed)) return 0;
    i32 any = fixed.any;
    if (any) apply(p, &fixed, changed);
    else any = subtract_subsets(p, changed);
    if (!drop_empty(p, changed)) return 0;
    if (!any) return 1;
  }
}
