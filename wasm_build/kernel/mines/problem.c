/* Reads a packed board and the clues of one of its states: cells in clues are renumbered, each clue
 * becomes a bit mask over them and the mines that it still needs. Checks every index of the input.
 */
#include "mines.h"

static i32 rising(const i32 *start, i32 count, i32 most) {
  if (start[0] != 0) return 0;
  for (i32 i = 0; i < count; i++)
    if (start[i + 1] < start[i] || start[i + 1] > most) return 0;
  return 1;
}

/* Without a branch, so that it goes several a step. */
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

/* Enter one clue; known mines are taken off its need. 0 if it cannot hold. Which neighbours are
 * unknown nothing foretells, so they are gathered without a branch; most numbers of a long game
 * have none and make no mask. */
static i32 enter(Problem *p, i32 name, i32 need, const i32 *list, i32 length) {
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
      mask[found[i] >> 6] |= 1ull << (found[i] & 63);
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

static i32 reserve(Problem *p, const Board *board, const i16 *state, Arena *arena) {
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
  if (!p->local_of || !p->board_of || !p->value || !p->need || !p->size || !p->name ||
      !p->from || !p->to)
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
  memset(p->mask, 0, bytes); /* all at once: what fills memory is slow to begin */
  return OK;
}

i32 mines_read_problem(Problem *p, const Board *board, const i16 *state, const u8 *active,
                       Arena *arena, i32 *consistent) {
  i32 status = reserve(p, board, state, arena);
  if (status != OK) return status;
  p->board_cells = board->cells;
  p->clues = 0;
  *consistent = 1;
  memset(p->value, -1, (size_t)p->cells);
  for (i32 g = 0; g < board->groups; g++) {
    i32 from = board->group_start[g], length = board->group_start[g + 1] - from;
    if (active && !active[g]) continue;
    if (!enter(p, g, board->group_count[g], board->members + from, length))
      *consistent = 0;
  }
  for (i32 c = 0; c < board->cells; c++) {
    i32 from = board->neighbour_start[c], length = board->neighbour_start[c + 1] - from;
    if (state[c] < 0 || (active && !active[board->groups + c])) continue;
    if (!enter(p, board->groups + c, state[c], board->neighbours + from, length))
      *consistent = 0;
  }
  return OK;
}
