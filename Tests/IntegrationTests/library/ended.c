// Ends the process halfway where it writes 100 KB at once, as a service manager does that has waited long enough. To be preloaded.
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

ssize_t write(int descriptor, const void *bytes, size_t count) {
  if (count < 100000) return syscall(SYS_write, descriptor, bytes, count);
  syscall(SYS_write, descriptor, bytes, count / 2);
  return raise(SIGKILL);
}
