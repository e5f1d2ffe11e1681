// Linux calls that Swift's Glibc module lacks: it is built without _GNU_SOURCE, and variadic functions cannot be imported.
#ifndef CLINUX_H
#define CLINUX_H

#include <semaphore.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>

/// The time of CLOCK_MONOTONIC, in nanoseconds (clock_gettime(2)).
static inline long clinux_monotonic_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000L + now.tv_nsec;
}

/// sem_clockwait(3): waits for a semaphore for at most `nanoseconds` of CLOCK_MONOTONIC, whatever signals come. Returns 1 where it has been taken, or 0.
int clinux_wait_for(sem_t *semaphore, long nanoseconds);

/// The time of the processor that a thread has used, by its clock (pthread_getcpuclockid(3)), in nanoseconds; 0 where the thread is gone.
long clinux_thread_nanoseconds(clockid_t clock);

/// accept4(2) with SOCK_NONBLOCK and SOCK_CLOEXEC, without the peer's address. Returns the connection's descriptor, or -1 with errno.
int clinux_accept(int listener);

/// memfd_create(2) with MFD_CLOEXEC and MFD_ALLOW_SEALING. Returns the descriptor, or -1 with errno.
int clinux_memfd_create(const char *name);

/// fcntl(2) F_ADD_SEALS: fixes a memfd's size for good, so that no access to a mapping of it can fail. Returns 0, or -1 with errno.
int clinux_seal_size(int memfd);

/// inotify_init1(2) with IN_CLOEXEC and IN_NONBLOCK. Returns the descriptor, or -1 with errno.
int clinux_inotify(void);

/// inotify_add_watch(2) of a folder: tells when an entry is deleted, moved away or moved in, and when the folder itself is deleted or moved.
/// Returns 0, or -1 with errno, also where the path is no folder.
int clinux_watch_folder(int inotify, const char *path);

/// Sets a file's group, then its mode, both by one descriptor: of the file that the path named at the call. A symbolic link is not followed.
/// Returns 0, or -1 with errno; the group may be set already then.
int clinux_give_to_group(const char *path, unsigned group, unsigned mode);

/// sendmsg(2) of one datagram on a connected Unix socket, with `descriptor` unless it is negative. Never waits, raises no SIGPIPE. Returns 0, or -1
/// with errno, e.g. EAGAIN where the socket has no room.
int clinux_send_datagram(int socket, const void *bytes, size_t size, int descriptor);

/// The kernel writes no core file of the process: setrlimit(2) RLIMIT_CORE, and prctl(2) PR_SET_DUMPABLE 0, which
/// counts for a program that core files are piped to as well. Returns 0, or -1 with errno.
int clinux_forbid_core_dumps(void);

/// Returns the memory of the program's code to the kernel, without that of its libraries (madvise(2) MADV_DONTNEED). Pages that are needed again
/// are read from the program's file again.
void clinux_release_code(void);

/// malloc_trim(3): returns malloc's free memory to the kernel, but for that at the end of an arena other than the main one.
void clinux_trim_memory(void);

/// mallopt(3): each arena keeps at most `bytes` free bytes at its end (M_TRIM_THRESHOLD), and a longer block gets a mapping of its own
/// (M_MMAP_THRESHOLD). By default glibc raises both limits to the longest block that was freed. Also turns off the lists of small freed blocks
/// (M_MXFAST 0): malloc_trim joins these to the end of an arena, which could then grow beyond the limit.
void clinux_keep_free_memory(int bytes);

/// mallopt(3): there are at most `count` arenas (M_ARENA_MAX), and no more than eight for each processor that the process may run
/// on, as glibc has by itself. Does nothing where the environment says how many (MALLOC_ARENA_MAX).
void clinux_limit_arenas(int count);

/// A new private mapping of `new_size` zero bytes where `memory` is NULL; else the mapping `memory` of `size` bytes, resized by mremap(2), which
/// may move it and copies nothing. All sizes in bytes. Returns the mapping, or NULL with errno.
void *clinux_map(void *memory, size_t size, size_t new_size);

/// timer_create(2): a timer, not started, that sends the calling thread SIGURG. Installs a handler for SIGURG that does nothing, and unblocks it in
/// the thread, so that the signal has no other effect than to end a wait in the kernel. Returns 0, or -1 with errno.
int clinux_make_interrupter(timer_t *timer);

/// timer_settime(2): has a timer of clinux_make_interrupter send a signal every `microseconds`; 0 stops it.
void clinux_interrupt_every(timer_t timer, long microseconds);

/// explicit_bzero(3): overwrites `size` bytes with zeros, which the compiler does not leave out. `memory` may be NULL where `size` is 0.
void clinux_wipe(void *memory, size_t size);

#endif
