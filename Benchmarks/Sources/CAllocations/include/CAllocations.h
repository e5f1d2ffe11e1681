#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stdint.h>

/// What was asked of malloc and its like since the start of the process. For a program with one thread.
struct allocations {
  int64_t count;  ///< calls that gave memory
  int64_t live;   ///< bytes given and not yet given back, as malloc rounds them
  int64_t peak;   ///< the most that were live since `allocations_reset_peak`
};

struct allocations allocations_now(void);
void allocations_reset_peak(void);

#endif
