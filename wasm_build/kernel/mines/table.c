/* Hash table of the next layer's states by key: open addressing, linear probing, at most half full;
 * grows fourfold. */
#include "counter.h"

/* Keys are compared, copied and hashed word by word: they are too short for memcpy. */
static inline u64 hash_key(const u64 *key, i32 words) {
  u64 hash = 0x1234567;
  for (i32 i = 0; i < words; i++) {
    hash = (hash ^ key[i]) * 0x9E3779B97F4A7C15ull;
    hash ^= hash >> 29;
  }
  return hash;
}

void mines_table_clear(Counter *c, u32 size) {
  c->table_size = size;
  memset(c->table, 255, sizeof(u32) * size);
}

static i32 grow_table(Counter *c, const Layer *next) {
  if (c->table_size * 4 > c->table_room) return TOO_LARGE;
  mines_table_clear(c, c->table_size * 4);
  for (i32 s = 0; s < next->states; s++) {
    u32 at = (u32)hash_key(words_of(state_at(next, (u32)s)), key_words(next));
    for (at &= c->table_size - 1; c->table[at] != DEAD;) at = (at + 1) & (c->table_size - 1);
    c->table[at] = (u32)s;
  }
  return OK;
}

i32 mines_table_find(Counter *c, Layer *next, const u64 *key) {
  const i32 words = key_words(next);
  u32 at = (u32)hash_key(key, words) & (c->table_size - 1);
  for (; c->table[at] != DEAD; at = (at + 1) & (c->table_size - 1))
    if (same_words(words_of(state_at(next, c->table[at])), key, words)) return (i32)c->table[at];
  State *state = (State *)c->arena.low;
  if (c->arena.low + next->stride + 64 > c->arena.high) return TOO_LARGE;
  c->arena.low += next->stride;
  *state = (State){.alive = 1};
  for (i32 i = 0; i < words; i++) words_of(state)[i] = key[i];
  c->table[at] = (u32)next->states++;
  if ((u32)next->states * 2 > c->table_size && grow_table(c, next) != OK) return TOO_LARGE;
  return next->states - 1;
}
