// The text of the last error, one for each thread: a thread-local variable, which Swift does not have.
#include "CContextDiff.h"

#include <string.h>

static _Thread_local char last_error[256];

const char *contextdiff_last_error(void) { return last_error; }

void cd_set_last_error(const uint8_t *text, size_t length) {
  if (length > sizeof(last_error) - 1) length = sizeof(last_error) - 1;
  memcpy(last_error, text, length);
  last_error[length] = 0;
}
