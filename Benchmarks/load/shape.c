#define _GNU_SOURCE
#include "shape.h"

#include <stdlib.h>
#include <string.h>

static const char *const counted[] = {"\"sequence\":", "\"n\":", "\"time\":"};
enum { ORDERING = 2 };  // the first two count the frames, the third is a clock

void learn(struct shape *shape, const char *frame, size_t length) {
  for (int i = 0; shape->known && i < shape->pieces; i++) free(shape->literal[i]);
  shape->pieces = 0;
  shape->order = -1;
  shape->total = length;
  size_t from = 0;
  while (shape->pieces < MAX_NUMBERS) {
    // The next member that holds a number.
    const char *nearest = NULL;
    bool ordering = false;
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
      const char *at = memmem(frame + from, length - from, counted[i], strlen(counted[i]));
      if (at == NULL) continue;
      at += strlen(counted[i]);
      if (nearest == NULL || at < nearest) nearest = at, ordering = i < ORDERING;
    }
    if (nearest == NULL) break;
    size_t to = (size_t)(nearest - frame);
    shape->length[shape->pieces] = to - from;
    shape->literal[shape->pieces] = memcpy(malloc(to - from + 1), frame + from, to - from);
    if (ordering) shape->order = shape->pieces;
    shape->pieces++;
    from = to;
    while (from < length && frame[from] >= '0' && frame[from] <= '9') from++;
  }
  shape->length[shape->pieces] = length - from;
  shape->literal[shape->pieces] = memcpy(malloc(length - from + 1), frame + from, length - from);
  shape->pieces++;
  shape->known = true;
}

bool matches(const struct shape *shape, const char *frame, size_t length, int64_t *number) {
  size_t at = 0;
  *number = -1;
  for (int i = 0; i < shape->pieces; i++) {
    if (i > 0) {
      int64_t value = 0;
      size_t digits = at;
      while (at < length && frame[at] >= '0' && frame[at] <= '9') value = value * 10 + (frame[at++] - '0');
      if (at == digits) return false;
      if (i - 1 == shape->order) *number = value;
    }
    if (length - at < shape->length[i] || memcmp(frame + at, shape->literal[i], shape->length[i]) != 0) return false;
    at += shape->length[i];
  }
  return at == length;
}
