// The Linux calls that Swift's Glibc module leaves out: it is built without _GNU_SOURCE, and a
// variadic function cannot be imported.
#ifndef CLINUX_H
#define CLINUX_H

#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>

/// accept4(2) with SOCK_NONBLOCK and SOCK_CLOEXEC, the caller's address left out: the descriptor, or -1 with errno.
int clinux_accept(int listener);

/// memfd_create(2) with MFD_CLOEXEC and MFD_ALLOW_SEALING: the descriptor, or -1 with errno.
int clinux_memfd_create(const char *name);

/// fcntl(2) F_ADD_SEALS: its size never changes again, so that whoever maps it is never cut off. 0, or -1 with errno.
int clinux_seal_size(int memfd);

/// inotify_init1(2) that never waits: the descriptor, or -1 with errno.
int clinux_inotify(void);

/// inotify_add_watch(2) for what goes from a folder or is moved into it, and for the folder itself: 0, or -1 with errno.
int clinux_watch_folder(int inotify, const char *path);

/// Gives the file of a path, not followed where it is a link, to a group and sets its mode, both by one descriptor: 0, or -1 with errno.
int clinux_give_to_group(const char *path, unsigned group, unsigned mode);

/// sendmsg(2) of one datagram on a connected socket, with a descriptor where it is not -1; never waits, raises no SIGPIPE. 0, or -1 with errno.
int clinux_send_datagram(int socket, const void *bytes, size_t size, int descriptor);

/// prctl(2) PR_SET_DUMPABLE 0: 0, or -1 with errno.
int clinux_forbid_core_dumps(void);

/// Gives back the memory of the program's own code (madvise(2) MADV_DONTNEED): what is called again comes again from its file.
void clinux_release_code(void);

/// malloc_trim(3): gives back all that is free between what is in use, not what is free at the end of another thread's arena.
void clinux_trim_memory(void);

/// mallopt(3): each arena keeps so many bytes at most that are free at its end, and what is longer has a mapping of its own. Otherwise both grow
/// with the longest that was let go of (M_TRIM_THRESHOLD, M_MMAP_THRESHOLD), and the end of an arena may grow to all of it where malloc_trim joins
/// small chunks to it that were let go of earlier (M_MXFAST).
void clinux_keep_free_memory(int bytes);

/// mmap(2) of zeros where `memory` is NULL, or mremap(2) of a mapping of that size, which may move: nothing is copied. NULL with errno.
void *clinux_map(void *memory, size_t size, size_t new_size);

/// timer_create(2): a timer that sends the calling thread a signal which does nothing but end a wait in the kernel (SIGURG), which it is let through
/// for. 0, or -1 with errno.
int clinux_make_interrupter(timer_t *timer);

/// timer_settime(2): has it send one in `microseconds`, and then again and again; none any more where that is 0.
void clinux_interrupt_every(timer_t timer, long microseconds);

/// explicit_bzero(3): overwrites memory with zeros, also where nothing reads it any more.
void clinux_wipe(void *memory, size_t size);

#endif
