// What a frame must look like: literal text, with numbers in known places.
#ifndef SHAPE_H
#define SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_NUMBERS = 4 };

struct shape {
  bool known;                // false until the first frame has been learned
  bool fixed;                // every frame has `total` bytes, so that no terminator is looked for
  bool event;                // a learned frame must be an event of the session
  char inserted[8];          // what a learned frame must say was inserted
  size_t total;
  int pieces;                // literals; a number stands between each two
  char *literal[MAX_NUMBERS + 1];
  size_t length[MAX_NUMBERS + 1];
  int order;                 // which number counts the frames; -1 for none
};

// The shape of `frame`, whose numbers are the members `sequence`, `time` and `n`.
void learn(struct shape *shape, const char *frame, size_t length);

// Whether `frame` has the shape; `number` is then the one that counts the frames, -1 where none does.
bool matches(const struct shape *shape, const char *frame, size_t length, int64_t *number);

#endif
