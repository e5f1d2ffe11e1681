#define _GNU_SOURCE
#include "CLinux.h"

#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

int clinux_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }

int clinux_memfd_create(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int clinux_forbid_core_dumps(void) { return prctl(PR_SET_DUMPABLE, 0); }

static int release_program_code(struct dl_phdr_info *program, size_t size, void *unused) {
  (void)size;
  (void)unused;
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < program->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &program->dlpi_phdr[i];
    // What is written to is not in the file.
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) || segment->p_flags & PF_W) continue;
    const uintptr_t start = (program->dlpi_addr + segment->p_vaddr + page - 1) & ~(page - 1);
    const uintptr_t end = (program->dlpi_addr + segment->p_vaddr + segment->p_memsz) & ~(page - 1);
    if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
  }
  // The program comes first; the libraries' code is mostly shared with other processes.
  return 1;
}

void clinux_release_code(void) { dl_iterate_phdr(release_program_code, 0); }

void clinux_trim_memory(void) { malloc_trim(0); }

void clinux_wipe(void *memory, size_t size) {
  if (size > 0) explicit_bzero(memory, size);
}
