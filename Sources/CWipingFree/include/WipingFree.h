// Linking this into a program makes its free(3) and realloc(3) overwrite what they let go of.
#ifndef WIPING_FREE_H
#define WIPING_FREE_H

/// Does nothing: who calls it has the rest linked.
void wiping_free_is_linked(void);

#endif
