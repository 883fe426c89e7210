/* Number of consistent codes by dynamic programming over the colours, for rules with too many codes
 * to list; exact uniform sampling from them.
 *
 * Layer by layer, a colour is assigned to a set of pegs. A state is the set of occupied pegs with
 * the matches of every guess so far; equal states of a layer are merged in a hash table:
 *
 *     key   63      56 55   52 51  48          7    4 3    0
 *           | occupied | exact|total|   …     | exact|total|     seven guesses
 *           |   pegs   |  guess 0   |         |  guess 6   |
 *
 * States that can no longer reach the answers are pruned. Colours that no guess shows are counted
 * last, in closed form. All layers are stored: a code is sampled by a walk backwards, with
 * probabilities in proportion to the counts.
 * Cost: O(states 2^pegs) a layer. Rejected: counting by search, hundreds of millions of codes.
 */
#include "code.h"

#include "shared/random.h"

enum { MAX_GUESSES = 7, LAYERS = MAX_COLOURS + 2 };
enum { COUNTER = TAG('c', 'o', 'u', 'n') };

typedef struct Entry { u64 key, count; } Entry;

typedef struct Counter {
  Tag seal;
  Rules rules;
  i32 guesses, asked; /* asked: the last guess has any answer */
  i32 exact[MAX_GUESSES], partial[MAX_GUESSES]; /* UNKNOWN_HALF: not reported */
  u32 pegs_of[MAX_GUESSES][SYMBOLS];  /* pegs of a colour */
  u32 later_pegs[MAX_GUESSES][LAYERS];   /* pegs of the colours from a layer on */
  i32 colours, layer, unshown;
  u8 colour[LAYERS];            /* of each layer */
  u64 gain[LAYERS][256];        /* what a set of pegs adds to the key */
  i32 first[LAYERS + 1];        /* of each layer's entries */
  i32 entries, room, next;
  u32 slots;
  Entry *entry;
  u32 *slot;                    /* entry + 1 */
} Counter;

static size_t entries_at(void) { return (sizeof(Counter) + 63) & ~(size_t)63; }

static i32 exact_of(u64 key, i32 guess) { return (i32)(key >> (52 - 8 * guess) & 15); }
static i32 total_of(u64 key, i32 guess) { return (i32)(key >> (48 - 8 * guess) & 15); }

static u64 hash_state(u64 key, i32 layer) {
  u64 x = (key ^ (u64)layer * RANDOM_STEP) * 0xbf58476d1ce4e5b9ull;
  return (x ^ x >> 31) * 0x94d049bb133111ebull;
}

/* The slot of a state of a layer, or the empty slot for it. */
static u32 find_slot(const Counter *counter, u64 key, i32 layer) {
  u32 at = (u32)(hash_state(key, layer) >> 32) & (counter->slots - 1);
  for (;; at = (at + 1) & (counter->slots - 1)) {
    u32 held = counter->slot[at];
    if (!held) return at;
    if (counter->entry[held - 1].key == key && (i32)(held - 1) >= counter->first[layer] &&
        (layer >= counter->layer || (i32)(held - 1) < counter->first[layer + 1]))
      return at;
  }
}

static i32 add_state(Counter *counter, u64 key, u64 count, i32 layer) {
  u32 at = find_slot(counter, key, layer);
  if (counter->slot[at]) {
    counter->entry[counter->slot[at] - 1].count += count;
    return OK;
  }
  if (counter->entries == counter->room) return TOO_LARGE;
  counter->entry[counter->entries] = (Entry){key, count};
  counter->slot[at] = (u32)++counter->entries;
  return OK;
}

/* 1 if the answers may still be reached by assigning the colours from `layer` on. */
static i32 is_feasible(const Counter *counter, u64 key, i32 layer) {
  u32 free = (1u << counter->rules.pegs) - 1;
  free &= ~(u32)(key >> 56);
  i32 free_pegs = popcount64(free);
  for (i32 g = 0; g < counter->guesses - counter->asked; g++) {
    i32 exact = counter->exact[g] - exact_of(key, g);
    i32 total = counter->exact[g] + counter->partial[g] - total_of(key, g);
    if (counter->exact[g] == UNKNOWN_HALF) { /* only the misplaced are known: checked at the end */
      if (layer == counter->colours && total_of(key, g) - exact_of(key, g) != counter->partial[g]) return 0;
      continue;
    }
    if (exact < 0 || exact > popcount64(counter->later_pegs[g][layer] & free)) return 0;
    if (counter->rules.exact_only || counter->partial[g] == UNKNOWN_HALF) continue;
    if (total < 0 || total > min32(free_pegs, popcount64(counter->later_pegs[g][layer]))) return 0;
  }
  return 1;
}

static void prepare_layers(Counter *counter, u32 shown) {
  for (i32 c = 1; c <= counter->rules.colours; c++)
    if (shown >> c & 1) counter->colour[counter->colours++] = (u8)c;
  counter->unshown = counter->rules.colours - counter->colours;
  for (i32 layer = counter->colours - 1; layer >= 0; layer--) {
    i32 colour = counter->colour[layer];
    for (i32 g = 0; g < counter->guesses; g++)
      counter->later_pegs[g][layer] = counter->later_pegs[g][layer + 1] | counter->pegs_of[g][colour];
    for (u32 set = 0; set < 1u << counter->rules.pegs; set++) {
      u64 gain = (u64)set << 56;
      for (i32 g = 0; g < counter->guesses; g++) {
        u32 pegs_of = counter->pegs_of[g][colour];
        gain += (u64)popcount64(pegs_of & set) << (52 - 8 * g);
        if (!counter->rules.exact_only)
          gain += (u64)min32(popcount64(pegs_of), popcount64(set)) << (48 - 8 * g);
      }
      counter->gain[layer][set] = gain;
    }
  }
}

EXPORT(i32, code_counter_start)(u8 *memory, i32 size, i32 packed, const Code *guesses, const u8 *answers,
                                i32 count, i32 asked) {
  Counter *counter = (Counter *)memory;
  if (!memory || count < 0 || size < 0 || (count && (!guesses || !answers))) return BAD;
  if ((uintptr_t)memory & 15) return BAD;
  if (count > MAX_GUESSES) return TOO_LARGE;
  if ((size_t)size < entries_at() + (1 << 16)) return BAD;
  memset(counter, 0, sizeof *counter);
  if (!code_read_rules(packed, &counter->rules) || counter->rules.feedback > EXACT) return BAD;
  if (asked < 0 || asked > 1 || asked > count) return BAD;
  counter->guesses = count;
  counter->asked = asked;
  u32 shown = 0;
  for (i32 g = 0; g < count; g++) {
    if (!code_is_legal(&counter->rules, guesses[g], 1)) return BAD;
    for (i32 peg = 0; peg < counter->rules.pegs; peg++) {
      i32 symbol = code_symbol(guesses[g], peg);
      counter->pegs_of[g][symbol] |= 1u << peg;
      shown |= symbol ? 1u << symbol : 0;
    }
    counter->exact[g] = answers[g] >> 4;
    counter->partial[g] = answers[g] & 15;
  }
  prepare_layers(counter, shown);
  /* an entry takes 16 bytes and, at most half of the slots being taken, up to 16 for slots */
  counter->slots = 1u << 10;
  while (entries_at() + (size_t)counter->slots * 2 * (4 + 8) <= (size_t)size) counter->slots *= 2;
  counter->room = (i32)(counter->slots / 2);
  counter->slot = (u32 *)(memory + entries_at());
  counter->entry = (Entry *)(counter->slot + counter->slots);
  memset(counter->slot, 0, sizeof(u32) * counter->slots);
  if (is_feasible(counter, 0, 0)) add_state(counter, 0, 1, 0);
  seal_set(&counter->seal, COUNTER, 0, 0);
  return OK;
}

/* Expands a state: assigns the layer's colour to every set of free pegs. */
static i32 deal(Counter *counter, const Entry *state) {
  u32 free = ((1u << counter->rules.pegs) - 1) & ~(u32)(state->key >> 56), set = 0;
  const u64 *gain = counter->gain[counter->layer];
  Entry from = *state;
  do {
    if (counter->rules.repeat || popcount64(set) <= 1) {
      u64 key = from.key + gain[set];
      if (is_feasible(counter, key, counter->layer + 1)) {
        i32 status = add_state(counter, key, from.count, counter->layer + 1);
        if (status != OK) return status;
      }
    }
    set = (set - free) & free; /* the next subset */
  } while (set);
  return OK;
}

EXPORT(i32, code_counter_step)(u8 *memory, i32 budget) {
  Counter *counter = (Counter *)memory;
  if (!seal_holds(counter, COUNTER)) return BAD;
  for (i32 work = 0; counter->layer < counter->colours && work < budget;) {
    if (counter->next == counter->first[counter->layer]) /* a layer begins */
      counter->first[counter->layer + 1] = counter->entries;
    if (counter->next == counter->first[counter->layer + 1]) {
      counter->layer++;
      continue;
    }
    const Entry *state = &counter->entry[counter->next++];
    work += 1 << (counter->rules.pegs - popcount64(state->key >> 56));
    i32 status = deal(counter, state);
    if (status != OK) { /* an incomplete layer has wrong counts */
      seal_break(&counter->seal);
      return status;
    }
  }
  return counter->layer < counter->colours;
}

/* The number of ways to fill the free pegs with colours that no guess shows. */
static u64 fillings(const Counter *counter, u64 key) {
  i32 free = counter->rules.pegs - popcount64(key >> 56);
  u64 ways = 1;
  for (i32 i = 0; i < free; i++) {
    i32 choices = counter->rules.repeat ? counter->unshown : counter->unshown - i;
    ways *= (u64)max32(0, choices);
  }
  return ways;
}

EXPORT(i32, code_counter_cells)(const u8 *memory, u64 *out) {
  const Counter *counter = (const Counter *)memory;
  if (!seal_holds(counter, COUNTER) || !out || counter->layer < counter->colours) return BAD;
  memset(out, 0, sizeof(u64) * 256);
  i32 last = counter->guesses - 1;
  for (i32 i = counter->first[counter->layer]; i < counter->entries; i++) {
    const Entry *state = &counter->entry[i];
    i32 cell = 0;
    if (counter->asked) {
      i32 exact = exact_of(state->key, last), total = total_of(state->key, last);
      cell = exact << 4 | (counter->rules.exact_only ? 0 : total - exact);
    }
    out[cell] += state->count * fillings(counter, state->key);
  }
  return OK;
}

/* Fills the free pegs uniformly with colours that no guess shows. */
static Code fill_unshown(const Counter *counter, Code code, u32 free, u64 *seed) {
  u32 shown = 1;
  for (i32 i = 0; i < counter->colours; i++) shown |= 1u << counter->colour[i];
  for (i32 peg = 0; peg < counter->rules.pegs; peg++) {
    if (!(free >> peg & 1)) continue;
    u32 free_pegs = ((2u << counter->rules.colours) - 1) & ~shown;
    i32 skip = (i32)(random_next(seed) % (u64)popcount64(free_pegs));
    while (skip-- > 0) free_pegs &= free_pegs - 1;
    i32 symbol = __builtin_ctz(free_pegs);
    code |= code_at(symbol, peg);
    if (!counter->rules.repeat) shown |= 1u << symbol;
  }
  return code;
}

/* Samples a consistent code uniformly: the last state by its weight, then backwards the set of pegs
 * of each colour. */
static Code draw_code(const Counter *counter, u64 total, u64 *seed) {
  u64 pick = random_next(seed) % total;
  i32 at = counter->first[counter->layer];
  for (;; at++) {
    u64 weight = counter->entry[at].count * fillings(counter, counter->entry[at].key);
    if (pick < weight) break;
    pick -= weight;
  }
  u64 key = counter->entry[at].key;
  u32 every = (1u << counter->rules.pegs) - 1;
  Code code = fill_unshown(counter, 0, every & ~(u32)(key >> 56), seed);
  for (i32 layer = counter->colours - 1; layer >= 0; layer--) {
    u32 taken = (u32)(key >> 56), set = 0, slot = find_slot(counter, key, layer + 1);
    pick = random_next(seed) % counter->entry[counter->slot[slot] - 1].count;
    do {
      if (counter->rules.repeat || popcount64(set) <= 1) {
        u32 held = counter->slot[find_slot(counter, key - counter->gain[layer][set], layer)];
        u64 ways = held ? counter->entry[held - 1].count : 0;
        if (pick < ways) break;
        pick -= ways;
      }
      set = (set - taken) & taken;
    } while (set);
    for (i32 peg = 0; peg < counter->rules.pegs; peg++)
      if (set >> peg & 1) code |= code_at(counter->colour[layer], peg);
    key -= counter->gain[layer][set];
  }
  return code;
}

EXPORT(i32, code_counter_draw)(const u8 *memory, i32 seed, i32 count, Code *out) {
  const Counter *counter = (const Counter *)memory;
  if (!seal_holds(counter, COUNTER) || !out || count < 0) return BAD;
  if (counter->layer < counter->colours || counter->asked) return BAD;
  u64 total = 0, state = (u64)(u32)seed;
  for (i32 i = counter->first[counter->layer]; i < counter->entries; i++)
    total += counter->entry[i].count * fillings(counter, counter->entry[i].key);
  if (total == 0) return 0;
  for (i32 i = 0; i < count; i++) out[i] = draw_code(counter, total, &state);
  return count;
}
