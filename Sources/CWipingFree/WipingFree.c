// Replaces free(3) and realloc(3) in the whole program by ones that overwrite memory with zeros before they free it: typed text
// passes through strings, arrays and buffers of the program, of Swift's runtime and of the libraries, which free them as they are.
#define _GNU_SOURCE
#include "WipingFree.h"

#include <errno.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern void __libc_free(void *memory);
extern void *__libc_malloc(size_t size);

// Whether a block has a mapping of its own (the bit IS_MMAPPED of the word before it, in glibc's malloc.c). The kernel takes such
// a mapping back when it is freed, and clears its pages before it gives them to anybody, so that it need not be overwritten.
static int is_mapped(const void *memory) { return (((const size_t *)memory)[-1] & 2) != 0; }

void wiping_free_is_linked(void) {}

void free(void *memory) {
  if (memory == NULL) return;
  const int error = errno;
  if (!is_mapped(memory)) explicit_bzero(memory, malloc_usable_size(memory));
  __libc_free(memory);
  errno = error;
}

void *realloc(void *memory, size_t size) {
  if (memory == NULL) return __libc_malloc(size);
  if (size == 0) {
    free(memory);
    return NULL;
  }
  const size_t held = malloc_usable_size(memory);
  // A block that is large enough and at most twice as long as needed stays where it is; its end is overwritten.
  if (size <= held && size >= held / 2) {
    explicit_bzero((char *)memory + size, held - size);
    return memory;
  }
  void *moved = __libc_malloc(size);
  if (moved == NULL) return NULL;
  memcpy(moved, memory, held < size ? held : size);
  free(memory);
  return moved;
}
