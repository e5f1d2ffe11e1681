#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "load.h"

// The frames of whichever connection is being read: one buffer for all, so that it stays in the cache.
static char buffer[BUFFER];

// A server that has nothing to say for so long has lost something.
static const struct timeval patience = {.tv_sec = 20};

int dial(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) fail("the socket's path is too long");
  strcpy(address.sun_path, path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) fail("socket: %m");
  if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) {
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    return fd;
  }
  int error = errno;
  close(fd);
  errno = error;
  return -1;
}

struct connection *open_connection(const struct options *options, struct program program, struct shape **shapes, size_t shape_count) {
  struct connection *connection = calloc(1, sizeof *connection);
  *connection = (struct connection){.fd = dial(options->socket),
                                    .program = program,
                                    .shapes = shapes,
                                    .shape_count = shape_count,
                                    .first_number = -1,
                                    .last_number = -1};
  if (connection->fd < 0) fail("%s: %m", options->socket);
  connection->carry = malloc(BUFFER);
  return connection;
}

// Blocks: what is in flight fits into the socket's buffers, or (a long snapshot) is all that the server has to read.
void send_all(int fd, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t sent = send(fd, bytes, length, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) fail("send: %m");
    bytes += sent;
    length -= (size_t)sent;
  }
}

// Sends the next `count` calls; one write where they do not wrap round.
void send_calls(struct connection *connection, size_t count) {
  struct program *program = &connection->program;
  while (count > 0) {
    size_t batch = program->count - program->next;
    if (batch > count) batch = count;
    const size_t *at = program->at + program->next;
    send_all(connection->fd, program->bytes + at[0], at[batch] - at[0]);
    program->next = (program->next + batch) % program->count;
    count -= batch;
  }
}

// The first reply of a sort is read for its meaning, the others are compared with it.
static void understand(struct shape *shape, const char *frame, size_t length) {
  char inserted[32];
  snprintf(inserted, sizeof inserted, "\"inserted\":\"%s\"", shape->inserted);
  const char *const needed[] = {"\"kind\":\"insertion\"", inserted, "\"session\":\"bench-"};
  if (frame[length - 1] != 0) fail("a reply without its terminator");
  for (int i = 0; i < (shape->event ? 3 : 2); i++)
    if (memmem(frame, length, needed[i], strlen(needed[i])) == NULL)
      fail("a reply without %s: %.*s", needed[i], (int)(length < 600 ? length : 600), frame);
  if (memmem(frame, length, "\"error\":", 8) != NULL) fail("an error: %s", frame);
  learn(shape, frame, length);
}

static struct shape *next_shape(const struct connection *connection) {
  return connection->shapes[connection->received % connection->shape_count];
}

static int64_t check(struct connection *connection, const char *frame, size_t length) {
  struct shape *shape = next_shape(connection);
  int64_t number = -1;
  if (!shape->known || !matches(shape, frame, length, &number)) {
    if (shape->fixed) fail("not what was sent: %.*s", (int)(length < 600 ? length : 600), frame);
    understand(shape, frame, length);
    if (!matches(shape, frame, length, &number)) fail("a reply with numbers that are none: %s", frame);
  }
  return number;
}

// Reads once and hands on every whole frame that is there, checked; how many they were. 0 where nothing was to be read.
size_t receive(struct connection *connection, int flags, frame_handler *handler, void *context) {
  memcpy(buffer, connection->carry, connection->carried);
  ssize_t count = recv(connection->fd, buffer + connection->carried, BUFFER - connection->carried, flags);
  if (count == 0) fail("the server closed the connection");
  if (count < 0) {
    if (errno == EINTR || (errno == EAGAIN && (flags & MSG_DONTWAIT))) return 0;
    fail("recv: %m");
  }
  size_t end = connection->carried + (size_t)count, at = 0, frames = 0;
  size_t scanned = connection->carried;  // what was carried holds no terminator
  for (;;) {
    size_t length = 0;
    const struct shape *shape = next_shape(connection);
    if (shape->fixed) {
      if (end - at >= shape->total) length = shape->total;
    } else {
      const char *zero = memchr(buffer + scanned, 0, end - scanned);
      if (zero != NULL) length = (size_t)(zero + 1 - (buffer + at));
    }
    if (length == 0) break;
    int64_t number = check(connection, buffer + at, length);
    if (number >= 0) {
      if (connection->first_number < 0) connection->first_number = number;
      connection->last_number = number;
    }
    connection->received++;
    frames++;
    handler(connection, number, context);
    scanned = at += length;
  }
  connection->carried = end - at;
  if (connection->carried == BUFFER) fail("a frame without an end");
  memcpy(connection->carry, buffer + at, connection->carried);
  return frames;
}

static void await_ready(const struct options *options, struct connection *connection) {
  struct shape *shape = ready_shape(options);
  char reply[512];
  size_t length = 0;
  for (;;) {
    ssize_t count = recv(connection->fd, reply + length, sizeof reply - length, 0);
    if (count <= 0) fail("no answer to a subscription: %m");
    length += (size_t)count;
    if (shape != NULL ? length >= shape->total : reply[length - 1] == 0) break;
    if (length == sizeof reply) fail("a strange answer to a subscription");
  }
  int64_t number;
  if (shape != NULL ? !matches(shape, reply, length, &number) : strstr(reply, "\"ready\":true") == NULL)
    fail("a strange answer to a subscription: %.*s", (int)length, reply);
}

// Connections that are subscribed and have been told so.
struct connection **open_subscribers(const struct options *options, const struct program *posts) {
  struct connection **all = calloc((size_t)options->subscribers + 1, sizeof *all);
  struct shape **shapes = posts == NULL ? NULL : event_shapes(options, posts);
  for (int i = 0; i < options->subscribers; i++) {
    all[i] = open_connection(options, subscription(options), shapes, posts == NULL ? 0 : posts->count);
    send_calls(all[i], 1);
    await_ready(options, all[i]);
  }
  return all;
}

void open_idle(const struct options *options) {
  for (int i = 0; i < options->idle; i++)
    if (dial(options->socket) < 0) fail("idle connection %d: %m", i);
}

int watch(struct connection *const *connections, int count) {
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  for (int i = 0; i < count; i++) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connections[i]};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, connections[i]->fd, &event) < 0) fail("epoll_ctl: %m");
  }
  return epoll;
}
