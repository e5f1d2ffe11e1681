#define _GNU_SOURCE
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "load.h"

_Noreturn void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("load: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  exit(1);
}

uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// The time on a CPU of all of a process's threads, to the nanosecond.
static uint64_t process_time(pid_t process) {
  char path[320];
  snprintf(path, sizeof path, "/proc/%d/task", process);
  DIR *tasks = opendir(path);
  if (tasks == NULL) return 0;
  uint64_t sum = 0;
  for (struct dirent *task; (task = readdir(tasks)) != NULL;) {
    snprintf(path, sizeof path, "/proc/%d/task/%s/schedstat", process, task->d_name);
    FILE *file = task->d_name[0] == '.' ? NULL : fopen(path, "r");
    unsigned long long spent;
    if (file == NULL) continue;
    if (fscanf(file, "%llu", &spent) == 1) sum += spent;
    fclose(file);
  }
  closedir(tasks);
  return sum;
}

struct usage usage(const struct options *options) {
  struct rusage self;
  getrusage(RUSAGE_SELF, &self);
  return (struct usage){
      .wall = now(),
      .self = (uint64_t)(self.ru_utime.tv_sec + self.ru_stime.tv_sec) * 1000000000u +
              (uint64_t)(self.ru_utime.tv_usec + self.ru_stime.tv_usec) * 1000u,
      .server = options->server > 0 ? process_time(options->server) : 0};
}

struct samples samples_of(size_t capacity) {
  struct samples samples = {.at = malloc(capacity * sizeof(uint32_t)), .capacity = capacity};
  memset(samples.at, 0, capacity * sizeof(uint32_t));  // so that no page is faulted in while measuring
  return samples;
}

void add_sample(struct samples *samples, uint64_t nanoseconds) {
  if (samples->count == samples->capacity) fail("more samples than there is room for");
  samples->at[samples->count++] = nanoseconds > UINT32_MAX ? UINT32_MAX : (uint32_t)nanoseconds;
}

static int ascending(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

void print_percentiles(struct samples *samples) {
  if (samples->count == 0) fail("nothing was measured");
  qsort(samples->at, samples->count, sizeof *samples->at, ascending);
  printf("\"p50_us\": %.2f, \"p99_us\": %.2f, ", samples->at[samples->count / 2] / 1e3,
         samples->at[samples->count * 99 / 100] / 1e3);
}

void print_usage(struct usage from, struct usage to) {
  double wall = (double)(to.wall - from.wall);
  printf("\"generator_cpu\": %.3f, \"server_cpu\": %.3f", (double)(to.self - from.self) / wall,
         (double)(to.server - from.server) / wall);
}
