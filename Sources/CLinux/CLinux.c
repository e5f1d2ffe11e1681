#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

int clinux_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }

int clinux_wait_for(sem_t *semaphore, long nanoseconds) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  nanoseconds += until.tv_nsec;
  until.tv_sec += nanoseconds / 1000000000L;
  until.tv_nsec = nanoseconds % 1000000000L;
  while (sem_clockwait(semaphore, CLOCK_MONOTONIC, &until) != 0) {
    if (errno != EINTR) return 0;
  }
  return 1;
}

long clinux_thread_nanoseconds(clockid_t clock) {
  struct timespec now;
  if (clock_gettime(clock, &now) != 0) return 0;
  return now.tv_sec * 1000000000L + now.tv_nsec;
}

int clinux_memfd_create(const char *name) { return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING); }

int clinux_send_datagram(int socket, const void *bytes, size_t size, int descriptor) {
  struct iovec vector = {(void *)bytes, size};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof descriptor)];
  } control = {0};
  if (descriptor >= 0) {
    message.msg_control = &control;
    message.msg_controllen = sizeof control.room;
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(sizeof descriptor);
    memcpy(CMSG_DATA(&control.header), &descriptor, sizeof descriptor);
  }
  return sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? -1 : 0;
}

int clinux_forbid_core_dumps(void) {
  const struct rlimit none = {0, 0};
  return setrlimit(RLIMIT_CORE, &none) | prctl(PR_SET_DUMPABLE, 0);
}

static int release_program_code(struct dl_phdr_info *program, size_t size, void *unused) {
  (void)size;
  (void)unused;
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < program->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &program->dlpi_phdr[i];
    // Executable segments alone, but for writable ones: what was written to one is lost when its pages are dropped.
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) || segment->p_flags & PF_W) continue;
    const uintptr_t start = (program->dlpi_addr + segment->p_vaddr + page - 1) & ~(page - 1);
    const uintptr_t end = (program->dlpi_addr + segment->p_vaddr + segment->p_memsz) & ~(page - 1);
    if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
  }
  // Ends after the first object, which is the program: the libraries' code is mostly shared with other processes.
  return 1;
}

void clinux_release_code(void) { dl_iterate_phdr(release_program_code, 0); }

void clinux_trim_memory(void) { malloc_trim(0); }

void clinux_keep_free_memory(int bytes) {
  mallopt(M_MMAP_THRESHOLD, bytes);
  mallopt(M_TRIM_THRESHOLD, bytes);
  mallopt(M_MXFAST, 0);
}

void clinux_limit_arenas(int count) {
  cpu_set_t processors;
  if (getenv("MALLOC_ARENA_MAX") != NULL || sched_getaffinity(0, sizeof processors, &processors) != 0) return;
  const int usual = 8 * CPU_COUNT(&processors);
  mallopt(M_ARENA_MAX, count < usual ? count : usual);
}

void *clinux_map(void *memory, size_t size, size_t new_size) {
  void *mapping = memory == NULL ? mmap(NULL, new_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                                 : mremap(memory, size, new_size, MREMAP_MAYMOVE);
  return mapping == MAP_FAILED ? NULL : mapping;
}

static void do_nothing(int signal) { (void)signal; }

int clinux_make_interrupter(timer_t *timer) {
  // A signal without a handler interrupts no call. SA_RESTART: calls that the kernel can repeat do not fail with EINTR.
  const struct sigaction action = {.sa_handler = do_nothing, .sa_flags = SA_RESTART};
  if (sigaction(SIGURG, &action, NULL) != 0) return -1;
  sigset_t let_through;
  sigemptyset(&let_through);
  sigaddset(&let_through, SIGURG);
  pthread_sigmask(SIG_UNBLOCK, &let_through, NULL);
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGURG};
  // glibc names this member, sigev_notify_thread_id, only since version 2.38.
  event._sigev_un._tid = gettid();
  return timer_create(CLOCK_MONOTONIC, &event, timer);
}

void clinux_interrupt_every(timer_t timer, long microseconds) {
  const struct timespec time = {.tv_sec = microseconds / 1000000, .tv_nsec = microseconds % 1000000 * 1000};
  const struct itimerspec interval = {.it_value = time, .it_interval = time};
  timer_settime(timer, 0, &interval, NULL);
}

void clinux_wipe(void *memory, size_t size) {
  if (size > 0) explicit_bzero(memory, size);
}

int clinux_seal_size(int memfd) { return fcntl(memfd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW); }

int clinux_inotify(void) { return inotify_init1(IN_CLOEXEC | IN_NONBLOCK); }

int clinux_watch_folder(int inotify, const char *path) {
  return inotify_add_watch(inotify, path, IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR) < 0 ? -1 : 0;
}

int clinux_give_to_group(const char *path, unsigned group, unsigned mode) {
  const int file = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return -1;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  // The group is set before the mode, so that the mode never lets in another group. The link in /proc names the descriptor's file, even where
  // the path names another one by now.
  int result = fchownat(file, "", (uid_t)-1, group, AT_EMPTY_PATH);
  if (result == 0) result = chmod(link, mode);
  const int error = errno;
  close(file);
  errno = error;
  return result;
}
