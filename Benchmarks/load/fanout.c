// Posts that every subscriber must hear of, each once and in order.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "load.h"

enum { RING = 4096 };  // more than are ever under way

struct delivery {
  uint64_t subscribers;
  uint64_t sent_at[RING];
  uint32_t missing[RING];
  uint64_t completed;
  uint64_t time;          // of the read whose frames are being handled
  bool measuring;
  struct samples samples;
};

static void replied(struct connection *connection, int64_t number, void *context) {
  (void)connection, (void)number, (void)context;
}

static void delivered(struct connection *connection, int64_t number, void *context) {
  struct delivery *delivery = context;
  uint64_t post = connection->received - 1;
  if (number - connection->first_number != (int64_t)post)
    fail("event %ld where %ld was due", number, connection->first_number + (int64_t)post);
  if (--delivery->missing[post % RING] > 0) return;
  if (delivery->measuring) add_sample(&delivery->samples, delivery->time - delivery->sent_at[post % RING]);
  delivery->completed++;
}

// Writes each post's number where its server would give it back unread.
static void number_posts(struct program *program, uint64_t first, size_t count) {
  if (program->number_back == 0) return;
  for (size_t i = 0; i < count; i++) {
    char *digits = program->bytes + program->at[(program->next + i) % program->count + 1] - program->number_back;
    uint64_t number = first + i;
    for (int place = 7; place >= 0; place--, number /= 10) digits[place] = (char)('0' + number % 10);
  }
}

static void post(struct connection *poster, struct delivery *delivery, uint64_t *sent, size_t count) {
  number_posts(&poster->program, *sent, count);
  uint64_t time = now();
  for (size_t i = 0; i < count; i++) {
    delivery->sent_at[(*sent + i) % RING] = time;
    delivery->missing[(*sent + i) % RING] = (uint32_t)delivery->subscribers;
  }
  send_calls(poster, count);
  *sent += count;
}

static void check_counts(struct connection *const *subscribers, const struct options *options, uint64_t sent) {
  for (int i = 0; i < options->subscribers; i++) {
    if (subscribers[i]->received != sent)
      fail("subscriber %d heard of %lu of %lu posts", i, subscribers[i]->received, sent);
    if (subscribers[i]->first_number != subscribers[0]->first_number) fail("subscriber %d began elsewhere", i);
  }
}

int fan_out(const struct options *options) {
  struct program program = calls(options, 0);
  struct connection **all = open_subscribers(options, &program);
  struct connection *poster = open_connection(options, program, reply_shapes(options, &program), program.count);
  all[options->subscribers] = poster;
  int epoll = watch(all, options->subscribers + 1);
  static struct epoll_event ready[1024];
  static struct delivery delivery;
  delivery.subscribers = (uint64_t)options->subscribers;
  delivery.samples = samples_of((size_t)(options->seconds * 2e6) + 2 * RING);
  struct usage from = usage(options), to;
  uint64_t begin = from.wall + (uint64_t)(options->warmup * 1e9), end = begin + (uint64_t)(options->seconds * 1e9);
  uint64_t sent = 0, counted = 0;
  bool sending = true;
  while (sending || delivery.completed < sent || poster->received < sent) {
    if (sending && sent - delivery.completed < (uint64_t)options->window)
      post(poster, &delivery, &sent, (size_t)((uint64_t)options->window - (sent - delivery.completed)));
    int events = epoll_wait(epoll, ready, 1024, 20000);
    if (events == 0) fail("of %lu posts %lu arrived everywhere, %lu were answered", sent, delivery.completed, poster->received);
    for (int i = 0; i < events; i++) {
      struct connection *connection = ready[i].data.ptr;
      delivery.time = now();
      receive(connection, MSG_DONTWAIT, connection == poster ? replied : delivered, &delivery);
    }
    if (!sending) continue;
    uint64_t time = now();
    if (!delivery.measuring && time >= begin)
      delivery.measuring = true, from = usage(options), counted = delivery.completed;
    if (time >= end && delivery.samples.count > 0)
      sending = delivery.measuring = false, to = usage(options), counted = delivery.completed - counted;
  }
  check_counts(all, options, sent);
  double seconds = (double)(to.wall - from.wall) / 1e9;
  printf("{\"posts\": %lu, \"events_per_second\": %.0f, ", counted, (double)(counted * delivery.subscribers) / seconds);
  print_percentiles(&delivery.samples);
  print_usage(from, to);
  puts("}");
  return 0;
}

// Stays, with its subscribers and sessions, until its input ends: somebody weighs the server meanwhile.
int hold(const struct options *options) {
  open_idle(options);
  struct program program = {0};
  if (options->sessions > 1) {
    program = calls(options, 0);
    struct connection *poster = open_connection(options, program, reply_shapes(options, &program), program.count);
    for (int i = 0; i < options->sessions; i++) {
      send_calls(poster, 1);
      while (receive(poster, 0, replied, NULL) == 0) continue;
    }
  }
  if (options->subscribers > 0) open_subscribers(options, NULL);
  puts("{\"holding\": true}");
  fflush(stdout);
  while (getchar() != EOF) continue;
  return 0;
}
