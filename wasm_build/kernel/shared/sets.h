/* Union-find (disjoint-set forest) with path halving, for three integer types.
 *
 * Linking by index: a parent is never larger than its child, so the root is the smallest member of its
 * set. With arbitrary contents of `parent` the search stops at the first entry that breaks this
 * order: it neither leaves the array nor loops.
 */
#ifndef CLUEWISE_SETS_H
#define CLUEWISE_SETS_H

#include "kernel.h"

#define SETS_OF(type, name)                                      \
  static inline type name##_root(type *parent, type i) {         \
    while (parent[i] < i) { /* path halving */                   \
      type above = parent[i], next = parent[above];              \
      i = parent[i] = next < above ? next : above;               \
    }                                                            \
    return i;                                                    \
  }                                                              \
  static inline void name##_join(type *parent, type a, type b) { \
    a = name##_root(parent, a);                                  \
    b = name##_root(parent, b);                                  \
    if (a < b) parent[b] = a;                                    \
    else parent[a] = b;                                          \
  }                                                              \
  static inline void name##_init(type *parent, i32 count) {      \
    for (i32 i = 0; i < count; i++) parent[i] = (type)i;         \
  }

SETS_OF(u32, sets)       /* guesses */
SETS_OF(i32, long_sets)  /* tiles, clues */
SETS_OF(u16, point_sets) /* vertices */

#undef SETS_OF

#endif
