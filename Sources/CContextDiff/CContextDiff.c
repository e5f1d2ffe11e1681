// The text of the last error, one for each thread: a thread-local variable, which Swift does not have.
#include "CContextDiff.h"

#include <string.h>

static _Thread_local char last_error[CD_ERROR_ROOM];

const char *contextdiff_last_error(void) { return last_error; }

void cd_set_last_error(const uint8_t *text, size_t length) {
  if (length > sizeof(last_error) - 1) {
    length = sizeof(last_error) - 1;
    // Not within a character of UTF-8.
    while (length > 0 && (text[length] & 0xC0) == 0x80) length--;
  }
  memcpy(last_error, text, length);
  last_error[length] = 0;
}

void cd_keep_last_error(cd_error *error) { memcpy(error->text, last_error, sizeof(last_error)); }

void cd_restore_last_error(const cd_error *error) { memcpy(last_error, error->text, sizeof(last_error)); }
