// Linking this into a program makes its free(3) and realloc(3) overwrite with zeros the memory that they free.
#ifndef WIPING_FREE_H
#define WIPING_FREE_H

/// Does nothing; a call of it makes the linker take in the object file with free(3) and realloc(3).
void wiping_free_is_linked(void);

#endif
