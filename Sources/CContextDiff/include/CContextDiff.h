// What the Swift side of the library sees: the public header, and what only the two sides share.
#ifndef CCONTEXTDIFF_H
#define CCONTEXTDIFF_H

#include "contextdiff.h"

/* Sets what contextdiff_last_error returns in this thread. Not exported from the library. */
void cd_set_last_error(const uint8_t *text, size_t length);

#endif
