/* Disjoint sets in which a parent is never larger than its child, so that a root is the least
 * member of its set. The walk stops where that fails: it cannot leave the array or go in circles,
 * whatever lies in it. One shape for three widths of number.
 */
#ifndef CLUEWISE_SETS_H
#define CLUEWISE_SETS_H

#include "kernel.h"

#define SETS_OF(type, name)                                        \
  static inline type name##_root(type *parent, type i) {           \
    while (parent[i] < i) { /* halving the way */                  \
      type above = parent[i], next = parent[above];                \
      i = parent[i] = next < above ? next : above;                 \
    }                                                              \
    return i;                                                      \
  }                                                                \
  static inline void name##_join(type *parent, type a, type b) {   \
    a = name##_root(parent, a);                                    \
    b = name##_root(parent, b);                                    \
    if (a < b) parent[b] = a;                                      \
    else parent[a] = b;                                            \
  }                                                                \
  static inline void name##_alone(type *parent, i32 count) {       \
    for (i32 i = 0; i < count; i++) parent[i] = (type)i;           \
  }

SETS_OF(u32, sets)       /* guesses */
SETS_OF(i32, long_sets)  /* cells of a map, clues of a board */
SETS_OF(u16, point_sets) /* points of a graph */

#undef SETS_OF

#endif
