/* Cluewise's kernel: the definitions that all C files share, and the rules of its interface.
 *
 * - C11, freestanding: no libc, no heap, no recursion without a stated bound.
 * - The caller owns every buffer. Buffers lie in the arena (see kernel.c) and are named by
 *   pointers; each desk's header documents lengths, limits and the peak of memory.
 * - Exported functions take 32-bit integers, pointers and doubles only: a 64-bit argument would
 *   have to be a BigInt in the browser. 64-bit values travel through buffers.
 * - The result is a count or another non-negative number, or a negative Status. Bad lengths and
 *   bad values are reported; no input causes a trap.
 * - A call takes at most about 50 ms, and at least 0.1 ms if possible: expensive functions take a
 *   range of rows, so that the caller can report progress and stop between calls.
 * - A file includes this header, shared/ and the headers of its own desk only.
 */
#ifndef CLUEWISE_KERNEL_H
#define CLUEWISE_KERNEL_H

#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;
typedef unsigned __int128 u128;

typedef enum Status {
  OK = 0,
  BAD = -1,       /* a length or a value is outside what the header allows */
  TOO_LARGE = -2, /* the work or the result does not fit the buffers given */
  OVERFLOW = -3   /* a count does not fit its integer */
} Status;

/* EXPORT(i32, name)(arguments) { … } makes `name` callable from outside. */
#define EXPORT_FOR_TESTS(type, name) type name /* exported by kernel_for_tests of codegen/kernel.py */
#ifdef __wasm__
#define EXPORT(type, name) __attribute__((export_name(#name))) type name
#else /* as a library, under sanitizers: wasm_build/codegen/native_kernel.py */
#define EXPORT(type, name) __attribute__((visibility("default"))) type name
#endif

/* Preconditions of buffers, written behind their names in prototypes. The caller checks them before
 * every call, by the table that codegen/kernel.py generates from them:
 *
 *     u8 *out HAS(n)     n items, of the pointer's type, in a buffer that the caller owns
 *     u8 *out MAY(n)     the same, or null
 *     u8 *work LIVE      a struct that another function initialized (see shared/seal.h)
 *
 * n may name arguments, limits, functions of the kernel, board[0] for a word of a buffer before it,
 * map->rows for a field of a struct, first(work) and second(work) for the sizes in a tag, and
 * power(bits) for 2^bits. */
#define HAS(n)
#define MAY(n)
#define LIVE

/* The address of the arena, 16-byte aligned (it ends with the memory), and the interface's version. */
i32 arena_base(void);
i32 kernel_version(void);

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

static inline i32 popcount64(u64 x) { return (i32)__builtin_popcountll(x); }
static inline i32 lowest64(u64 x) { return (i32)__builtin_ctzll(x); } /* x != 0 */
static inline i32 min32(i32 a, i32 b) { return a < b ? a : b; }
static inline i32 max32(i32 a, i32 b) { return a > b ? a : b; }
static inline i32 abs32(i32 v) { return v < 0 ? -v : v; }
static inline i32 clamp32(i32 v, i32 low, i32 high) { return max32(low, min32(v, high)); }

/* Shell sort: `BEFORE(a, b)` of pointers to two items is true if the first sorts before the second. */
#define SORT(items, count, BEFORE)                                                                    \
  do {                                                                                                \
    i32 gap = 1;                                                                                      \
    while (gap < (count) / 3) gap = gap * 3 + 1;                                                      \
    for (; gap > 0; gap /= 3)                                                                         \
      for (i32 i = gap; i < (count); i++) {                                                           \
        __typeof__(*(items)) held = (items)[i];                                                       \
        i32 j = i;                                                                                    \
        for (; j >= gap && BEFORE(&held, &(items)[j - gap]); j -= gap) (items)[j] = (items)[j - gap]; \
        (items)[j] = held;                                                                            \
      }                                                                                               \
  } while (0)

/* Whether `bytes` bytes from `at` are inside the arena: for addresses inside structs, which the caller's
 * table does not check. */
i32 kernel_holds(const void *at, u64 bytes);

void *memcpy(void *restrict to, const void *restrict from, size_t length);
void *memmove(void *to, const void *from, size_t length);
void *memset(void *to, int value, size_t length);
int memcmp(const void *a, const void *b, size_t length);

/* log2 of x >= 0, 0 for x = 0 (information measures take 0 log 0 as 0); error below 1 ulp * 4. */
double kernel_log2(double x);

#endif
