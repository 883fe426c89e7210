/* Preprocessing to a fixed point: clues that are empty or full fix their cells, and a clue inside
 * another is subtracted from it. 0 where that contradicts. Cost: O(clues^2 words) a round. */
#include "mines.h"

typedef struct Fixed {
  u64 known[MINES_WORDS], mine[MINES_WORDS];
  i32 any;
} Fixed;

/* Collect what trivial clues fix. 0 where two of them disagree or a need is impossible. */
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

/* The words in which a clue has cells: of its mask and no others is anything asked. */
static void narrow(Problem *p, i32 q) {
  const u64 *mask = mask_of(p, q);
  while (p->from[q] < p->to[q] && !mask[p->from[q]]) p->from[q]++;
  while (p->from[q] < p->to[q] && !mask[p->to[q] - 1]) p->to[q]--;
}

/* One pass of B := B without A. Only pairs with a clue that changed since the last pass can be
 * new; on long games nearly all pairs are old. */
static i32 subtract_subsets(Problem *p, u8 *changed) {
  u8 now[MINES_CLUES];
  i32 any = 0;
  memset(now, 0, (size_t)p->clues);
  for (i32 a = 0; a < p->clues; a++) {
    const u64 *inner = mask_of(p, a);
    narrow(p, a);
    const i32 from = p->from[a], to = p->to[a];
    for (i32 b = 0; b < p->clues && p->size[a]; b++) {
      if (b == a || p->size[b] < p->size[a] || !(changed[a] | changed[b] | now[a] | now[b]))
        continue;
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

/* Drop empty clues; 0 if one of them still asks for mines. */
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
