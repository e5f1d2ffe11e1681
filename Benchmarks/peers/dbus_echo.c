// The same exchange over D-Bus: a service and a client by sd-bus, with a private dbus-daemon between them.
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <systemd/sd-bus.h>
#include <time.h>

static const char name[] = "io.contextdiff.Bench", path[] = "/bench";

static _Noreturn void fail(int error, const char *what) {
  fprintf(stderr, "dbus_echo: %s: %s\n", what, strerror(-error));
  exit(1);
}

static int check(int result, const char *what) {
  if (result < 0) fail(result, what);
  return result;
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static sd_bus *connect_to(const char *address) {
  sd_bus *bus = NULL;
  check(sd_bus_new(&bus), "sd_bus_new");
  check(sd_bus_set_address(bus, address), "address");
  check(sd_bus_set_bus_client(bus, true), "bus client");
  check(sd_bus_start(bus), "start");
  return bus;
}

// The service: gives a string back, and tells everyone who listens.
static int echo(sd_bus_message *call, void *data, sd_bus_error *error) {
  const char *text;
  (void)data, (void)error;
  int result = sd_bus_message_read(call, "s", &text);
  return result < 0 ? result : sd_bus_reply_method_return(call, "s", text);
}

static int publish(sd_bus_message *call, void *data, sd_bus_error *error) {
  const char *text;
  (void)data, (void)error;
  int result = sd_bus_message_read(call, "s", &text);
  if (result >= 0) result = sd_bus_emit_signal(sd_bus_message_get_bus(call), path, name, "Published", "s", text);
  return result < 0 ? result : sd_bus_reply_method_return(call, "");
}

static const sd_bus_vtable methods[] = {
    SD_BUS_VTABLE_START(0), SD_BUS_METHOD("Echo", "s", "s", echo, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("Publish", "s", "", publish, SD_BUS_VTABLE_UNPRIVILEGED), SD_BUS_VTABLE_END};

static _Noreturn void serve(const char *address) {
  sd_bus *bus = connect_to(address);
  check(sd_bus_add_object_vtable(bus, NULL, path, name, methods, NULL), "vtable");
  check(sd_bus_request_name(bus, name, 0), "name");
  for (;;) {
    if (check(sd_bus_process(bus, NULL), "process") == 0) check(sd_bus_wait(bus, UINT64_MAX), "wait");
  }
}

// The client's results.
static uint32_t *samples;
static size_t sample_count, sample_room;

static void add_sample(uint64_t time) {
  if (sample_count < sample_room) samples[sample_count++] = time > UINT32_MAX ? UINT32_MAX : (uint32_t)time;
}

static int ascending(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

static void print_percentiles(void) {
  if (sample_count == 0) fail(-ENODATA, "nothing was measured");
  qsort(samples, sample_count, sizeof *samples, ascending);
  printf("\"p50_us\": %.2f, \"p99_us\": %.2f}\n", samples[sample_count / 2] / 1e3, samples[sample_count * 99 / 100] / 1e3);
}

static int round_trip(const char *address, const char *payload, double seconds) {
  sd_bus *bus = connect_to(address);
  uint64_t begin = now() + 50000000u, end = begin + (uint64_t)(seconds * 1e9);
  for (uint64_t sent = now(), received; sent < end || sample_count == 0; sent = received) {
    sd_bus_message *reply = NULL;
    sd_bus_error error = SD_BUS_ERROR_NULL;
    const char *text;
    check(sd_bus_call_method(bus, name, path, name, "Echo", &error, &reply, "s", payload), "Echo");
    check(sd_bus_message_read(reply, "s", &text), "reply");
    received = now();
    if (strcmp(text, payload) != 0) fail(-EBADMSG, "not what was sent");
    sd_bus_message_unref(reply);
    if (sent >= begin) add_sample(received - sent);
  }
  printf("{\"calls\": %zu, ", sample_count);
  print_percentiles();
  return 0;
}

// Posts numbered by their last eight characters, and how many subscribers have not yet heard of each.
enum { RING = 4096 };
static uint64_t sent_at[RING], completed, answered;
static int missing[RING];
static bool measuring;
static size_t payload_length;
static char *current;  // the payload, as numbered last

struct subscriber { sd_bus *bus; uint64_t received; };

static int published(sd_bus_message *message, void *data, sd_bus_error *error) {
  struct subscriber *subscriber = data;
  const char *text;
  (void)error;
  check(sd_bus_message_read(message, "s", &text), "signal");
  uint64_t post = subscriber->received++;
  if (strlen(text) != payload_length || memcmp(text, current, payload_length - 8) != 0 ||
      strtoull(text + payload_length - 8, NULL, 10) != post)
    fail(-EBADMSG, "not what was published");
  if (--missing[post % RING] == 0) {
    completed++;
    if (measuring) add_sample(now() - sent_at[post % RING]);
  }
  return 0;
}

static int replied(sd_bus_message *message, void *data, sd_bus_error *error) {
  (void)data, (void)error;
  if (sd_bus_message_is_method_error(message, NULL)) fail(-EBADMSG, "Publish");
  answered++;
  return 0;
}

static struct subscriber *subscribe(const char *address, int count) {
  struct subscriber *all = calloc((size_t)count, sizeof *all);
  for (int i = 0; i < count; i++) {
    all[i].bus = connect_to(address);
    check(sd_bus_match_signal(all[i].bus, NULL, name, path, name, "Published", published, &all[i]), "match");
  }
  return all;
}

static int fan_out(const char *address, const char *payload, double seconds, int count, uint64_t window) {
  payload_length = strlen(payload) + 8;
  current = malloc(payload_length + 1);
  struct subscriber *all = subscribe(address, count);
  sd_bus *poster = connect_to(address);
  struct epoll_event event, ready[1024];
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  for (int i = 0; i <= count; i++) {
    sd_bus *bus = i < count ? all[i].bus : poster;
    event = (struct epoll_event){.events = EPOLLIN, .data.ptr = bus};
    epoll_ctl(epoll, EPOLL_CTL_ADD, sd_bus_get_fd(bus), &event);
  }
  uint64_t begin = now() + 50000000u, end = begin + (uint64_t)(seconds * 1e9), sent = 0, counted = 0, stopped = 0;
  while (stopped == 0 || completed < sent || answered < sent) {
    for (; stopped == 0 && sent - completed < window; sent++) {
      sprintf(current, "%s%08" PRIu64, payload, sent % 100000000);
      sent_at[sent % RING] = now();
      missing[sent % RING] = count;
      check(sd_bus_call_method_async(poster, NULL, name, path, name, "Publish", replied, NULL, "s", current), "Publish");
    }
    check(sd_bus_flush(poster), "flush");
    int events = epoll_wait(epoll, ready, 1024, 20000);
    if (events == 0) fail(-ETIME, "signals are missing");
    for (int i = 0; i < events; i++)
      while (check(sd_bus_process(ready[i].data.ptr, NULL), "process") > 0) continue;
    uint64_t time = now();
    if (!measuring && stopped == 0 && time >= begin) measuring = true, begin = time, counted = completed;
    if (stopped == 0 && time >= end && sample_count > 0) measuring = false, stopped = time, counted = completed - counted;
  }
  for (int i = 0; i < count; i++)
    if (all[i].received != sent) fail(-ENODATA, "a subscriber did not hear of every post");
  printf("{\"posts\": %" PRIu64 ", \"events_per_second\": %.0f, ", counted,
         (double)(counted * (uint64_t)count) / ((double)(stopped - begin) / 1e9));
  print_percentiles();
  return 0;
}

static int hold(const char *address, int count) {
  subscribe(address, count);
  puts("{\"holding\": true}");
  fflush(stdout);
  while (getchar() != EOF) continue;
  return 0;
}

// dbus_echo ADDRESS serve | round-trip SECONDS PAYLOAD | fan-out SECONDS PAYLOAD SUBSCRIBERS WINDOW | hold SUBSCRIBERS
int main(int count, char **arguments) {
  if (count < 3) return 64;
  const char *address = arguments[1], *mode = arguments[2];
  sample_room = 1u << 21;
  samples = malloc(sample_room * sizeof *samples);
  memset(samples, 0, sample_room * sizeof *samples);
  if (count == 3 && strcmp(mode, "serve") == 0) serve(address);
  if (count == 5 && strcmp(mode, "round-trip") == 0) return round_trip(address, arguments[4], atof(arguments[3]));
  if (count == 7 && strcmp(mode, "fan-out") == 0)
    return fan_out(address, arguments[4], atof(arguments[3]), atoi(arguments[5]), (uint64_t)atoi(arguments[6]));
  if (count == 4 && strcmp(mode, "hold") == 0) return hold(address, atoi(arguments[3]));
  return 64;
}
