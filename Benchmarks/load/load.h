// The load generator's shared parts. One process, one thread, nothing allocated while it measures.
#ifndef LOAD_H
#define LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "shape.h"

enum protocol { CLASSIFY, POST, ECHO, REDIS_ECHO, REDIS_PUBLISH, DBUS };

struct options {
  enum protocol protocol;
  const char *mode;
  const char *socket;
  pid_t server;         // whose CPU time is reported; 0 for none
  double seconds;       // how long to measure
  double warmup;        // how long to run before
  int connections;      // pipelined: how many
  int window;           // calls in flight on each connection, or posts not yet with every subscriber
  int subscribers;
  int sessions;         // how many sessions the posts go round
  int idle;             // connections that are open and silent meanwhile
  int repeat;           // start: how often
  size_t text;          // bytes of a snapshot; 0 for the ordinary call
  int typed;            // how many characters a session's posts type, one each, before they begin anew; 0 for always the same pair
  int places;           // how many places the posts jump between; 0 for one
  char **command;       // start: what to run
};

// The requests of one connection, one after another, sent round and round.
struct program {
  char *bytes;
  size_t *at;           // where each begins in `bytes`, and where the last one ends
  size_t count;
  size_t next;
  size_t number_back;   // how far before its end a request holds its number, eight digits; 0 where it holds none
};

struct connection {
  int fd;
  struct program program;
  struct shape **shapes;  // what it gets, one frame after another, round and round; connections that get the same share them
  size_t shape_count;
  char *carry;          // the start of a frame whose end has not arrived
  size_t carried;
  uint64_t received;
  int64_t first_number; // of the first frame and of the last that held one; -1 for none yet
  int64_t last_number;
};

// protocol.c: what is said to each server, and what must come back.
struct program calls(const struct options *options, int first_session);
struct program subscription(const struct options *options);
struct shape **reply_shapes(const struct options *options, const struct program *program);
struct shape **event_shapes(const struct options *options, const struct program *program);
struct shape *ready_shape(const struct options *options);

// net.c
enum { BUFFER = 1 << 18 };
typedef void frame_handler(struct connection *connection, int64_t number, void *context);
int dial(const char *path);
struct connection *open_connection(const struct options *options, struct program program, struct shape **shapes, size_t shape_count);
void send_calls(struct connection *connection, size_t count);
void send_all(int fd, const char *bytes, size_t length);
size_t receive(struct connection *connection, int flags, frame_handler *handler, void *context);
struct connection **open_subscribers(const struct options *options, const struct program *posts);
void open_idle(const struct options *options);
int watch(struct connection *const *connections, int count);

// measure.c
uint64_t now(void);
struct usage { uint64_t wall, self, server; };
struct usage usage(const struct options *options);
struct samples { uint32_t *at; size_t count, capacity; };
struct samples samples_of(size_t capacity);
void add_sample(struct samples *samples, uint64_t nanoseconds);
void print_percentiles(struct samples *samples);
void print_usage(struct usage from, struct usage to);

// The modes; each prints one JSON object on a line of its own.
int round_trip(const struct options *options);
int pipelined(const struct options *options);
int fan_out(const struct options *options);
int start(const struct options *options);
int hold(const struct options *options);

_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
