// Calls and their replies: one in flight, or many.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "load.h"

static void nothing(struct connection *connection, int64_t number, void *context) {
  (void)connection, (void)number, (void)context;
}

// Post numbers its replies: one up for each, whoever calls.
static void check_numbers(const struct options *options, struct connection *const *all, int count) {
  if (options->protocol != POST) return;
  int64_t first = INT64_MAX, last = -1;
  uint64_t received = 0;
  for (int i = 0; i < count; i++) {
    if (all[i]->received == 0) continue;
    if (all[i]->first_number < first) first = all[i]->first_number;
    if (all[i]->last_number > last) last = all[i]->last_number;
    received += all[i]->received;
  }
  if ((uint64_t)(last - first + 1) != received)
    fail("%lu replies with the sequence numbers %ld to %ld", received, first, last);
}

int round_trip(const struct options *options) {
  open_idle(options);
  struct program program = calls(options, 0);
  struct connection *connection = open_connection(options, program, reply_shapes(options, &program), program.count);
  struct samples samples = samples_of((size_t)(options->seconds * 1e6) + 1024);
  struct usage from = usage(options), to;
  uint64_t begin = from.wall + (uint64_t)(options->warmup * 1e9), end = begin + (uint64_t)(options->seconds * 1e9);
  bool measuring = false;
  for (uint64_t sent = now(); sent < end || samples.count == 0;) {
    if (!measuring && sent >= begin) measuring = true, from = usage(options), sent = now();
    send_calls(connection, 1);
    while (receive(connection, 0, nothing, NULL) == 0) continue;
    uint64_t received = now();
    if (measuring) add_sample(&samples, received - sent);
    sent = received;
  }
  to = usage(options);
  check_numbers(options, &connection, 1);
  printf("{\"calls\": %zu, ", samples.count);
  print_percentiles(&samples);
  print_usage(from, to);
  puts("}");
  return 0;
}

int pipelined(const struct options *options) {
  open_idle(options);
  int count = options->connections;
  struct connection **all = calloc((size_t)count, sizeof *all);
  for (int i = 0; i < count; i++) {
    struct program program = calls(options, i * options->sessions);
    all[i] = open_connection(options, program, reply_shapes(options, &program), program.count);
  }
  int epoll = watch(all, count);
  struct epoll_event ready[64];
  struct usage from = usage(options), to;
  uint64_t begin = from.wall + (uint64_t)(options->warmup * 1e9), end = begin + (uint64_t)(options->seconds * 1e9);
  uint64_t outstanding = 0, done = 0, counted_from = 0;
  bool measuring = false, sending = true;
  for (int i = 0; i < count; i++) send_calls(all[i], (size_t)options->window);
  outstanding = (uint64_t)(count * options->window);
  while (outstanding > 0) {
    int events = epoll_wait(epoll, ready, 64, 20000);
    if (events == 0) fail("%lu replies are missing", outstanding);
    for (int i = 0; i < events; i++) {
      struct connection *connection = ready[i].data.ptr;
      size_t replies = receive(connection, MSG_DONTWAIT, nothing, NULL);
      done += replies;
      if (sending && replies > 0)
        send_calls(connection, replies);
      else
        outstanding -= replies;
    }
    if (!sending) continue;
    uint64_t time = now();
    if (!measuring && time >= begin) measuring = true, from = usage(options), counted_from = done;
    if (time >= end && done > counted_from) sending = false, to = usage(options), counted_from = done - counted_from;
  }
  check_numbers(options, all, count);
  double seconds = (double)(to.wall - from.wall) / 1e9;
  printf("{\"calls\": %lu, \"calls_per_second\": %.0f, \"nanoseconds_per_call\": %.1f, ", counted_from,
         (double)counted_from / seconds, seconds * 1e9 / (double)counted_from);
  print_usage(from, to);
  puts("}");
  return 0;
}
