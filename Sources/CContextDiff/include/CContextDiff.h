// The C module that the library's Swift code imports: the public header, and functions that are not public.
#ifndef CCONTEXTDIFF_H
#define CCONTEXTDIFF_H

/*
 * Declares the public structs that hold pointers as safe for Swift's strict memory safety: Swift code copies them, and reads and sets
 * their numbers, without `unsafe`. Setting a pointer in one and following one are still unsafe. Swift code reads a contextdiff_text by
 * its `bytes` alone, which checks it. That `data` points to `length` bytes, the caller of the library guarantees, as contextdiff.h says.
 */
#define CD_SAFE __attribute__((swift_attr("safe")))
struct CD_SAFE contextdiff_text;
struct CD_SAFE contextdiff_snapshot;
struct CD_SAFE contextdiff_observation;
struct CD_SAFE contextdiff_edit;
struct CD_SAFE contextdiff_transition;
struct CD_SAFE contextdiff_session_options;
struct CD_SAFE contextdiff_client_options;
struct CD_SAFE contextdiff_message;
struct CD_SAFE contextdiff_subscription;
#undef CD_SAFE

#include "contextdiff.h"

/* None of these is exported from the library. */

#define CD_ERROR_ROOM 256

/* Sets what contextdiff_last_error returns in this thread: the first 255 of `length` bytes of `text`, in whole characters. */
void cd_set_last_error(const uint8_t *text, size_t length);

typedef struct cd_error {
  char text[CD_ERROR_ROOM];
} cd_error;

/* Keeps what contextdiff_last_error returns in this thread, and sets it to that again. */
void cd_keep_last_error(cd_error *error);
void cd_restore_last_error(const cd_error *error);

#endif
