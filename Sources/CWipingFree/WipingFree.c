// free(3) and realloc(3) of the whole program, which overwrite what is let go of: what people typed passes through strings,
// arrays and buffers of the program, of Swift's runtime and of the libraries, and none of them clears what it frees.
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

// A chunk that has a mapping of its own goes back to the kernel as it is, and nobody sees it again (malloc.c, IS_MMAPPED).
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
  // What shrinks a little stays where it is; nothing of what is cut off is left.
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
