#define _GNU_SOURCE
#include "CAllocations.h"

#include <errno.h>
#include <malloc.h>
#include <stddef.h>

// The C library's own, under the names that it keeps for programs that replace the usual ones.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static struct allocations totals;

static void *given(void *memory) {
  if (memory != NULL) {
    totals.count++;
    totals.live += (int64_t)malloc_usable_size(memory);
    if (totals.live > totals.peak) totals.peak = totals.live;
  }
  return memory;
}

static void taken(void *memory) {
  if (memory != NULL) totals.live -= (int64_t)malloc_usable_size(memory);
}

void *malloc(size_t size) { return given(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return given(__libc_calloc(count, size)); }

void *realloc(void *memory, size_t size) {
  taken(memory);
  return given(__libc_realloc(memory, size));
}

void *memalign(size_t alignment, size_t size) { return given(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return given(__libc_memalign(alignment, size)); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  *memory = given(__libc_memalign(alignment, size));
  return *memory == NULL ? ENOMEM : 0;
}

void free(void *memory) {
  taken(memory);
  __libc_free(memory);
}

struct allocations allocations_now(void) { return totals; }

void allocations_reset_peak(void) { totals.peak = totals.live; }
