// What the Swift side of the library sees: the public header, and what only the two sides share.
#ifndef CCONTEXTDIFF_H
#define CCONTEXTDIFF_H

/*
 * The header's structs that hold pointers, of which Swift's strict memory safety need not warn: they can be copied and their numbers
 * read and set. What is still unsafe is to set a pointer in one, which is to answer for it, and to follow one. A contextdiff_text is
 * read by `bytes` alone, which checks it; that it names memory of its length, who makes one answers for, as contextdiff.h says.
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

/* Sets what contextdiff_last_error returns in this thread. Not exported from the library. */
void cd_set_last_error(const uint8_t *text, size_t length);

#endif
