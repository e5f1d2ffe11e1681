#define _GNU_SOURCE
#include "CLinux.h"

#include <sys/mman.h>
#include <sys/prctl.h>

int clinux_memfd_create(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int clinux_forbid_core_dumps(void) { return prctl(PR_SET_DUMPABLE, 0); }
