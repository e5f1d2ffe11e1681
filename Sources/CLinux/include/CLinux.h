// The Linux calls that Swift's Glibc module leaves out: it is built without _GNU_SOURCE, and a
// variadic function cannot be imported.
#ifndef CLINUX_H
#define CLINUX_H

#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

/// accept4(2) with SOCK_NONBLOCK and SOCK_CLOEXEC, the caller's address left out: the descriptor, or -1 with errno.
int clinux_accept(int listener);

/// memfd_create(2) with MFD_CLOEXEC: the descriptor, or -1 with errno.
int clinux_memfd_create(const char *name);

/// prctl(2) PR_SET_DUMPABLE 0: 0, or -1 with errno.
int clinux_forbid_core_dumps(void);

/// Gives back the memory of the program's own code (madvise(2) MADV_DONTNEED): what is called again comes again from its file.
void clinux_release_code(void);

/// malloc_trim(3) of all that is free.
void clinux_trim_memory(void);

/// explicit_bzero(3): overwrites memory with zeros, also where nothing reads it any more.
void clinux_wipe(void *memory, size_t size);

#endif
