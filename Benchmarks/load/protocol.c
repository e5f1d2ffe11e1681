#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"

// One character more, in the middle of a sentence that has no end yet: what typing looks like to a keyboard.
static const char before[] = "昨日は友達と一緒に新しい喫茶店";
static const char typed[] = "へ";
static const char after[] = "行きましたが混んで";

// `text` bytes of Japanese without a terminator, for growth by length.
static char *long_text(size_t text) {
  static const char piece[] = "日本語の文章が長く続いていて";
  char *bytes = malloc(text + 1);
  size_t length = 0;
  while (length + 3 <= text) memcpy(bytes + length, piece + length % (sizeof piece - 1), 3), length += 3;
  bytes[length] = 0;
  return bytes;
}

// The payload, the same for every server: the call, numbered where the server would give it back unread.
static char *payload(const struct options *options, int session, bool numbered) {
  char *left = options->text > 0 ? long_text(options->text) : strdup(before);
  char start[128], *all = NULL;
  if (options->protocol == CLASSIFY)
    snprintf(start, sizeof start, "io.contextdiff.Classify\",\"parameters\":{");
  else
    snprintf(start, sizeof start, "io.contextdiff.Post\",\"parameters\":{\"session\":\"bench-%04d\",", session);
  if (asprintf(&all,
               "{\"method\":\"%s\"old\":{\"before\":\"%s\",\"after\":\"%s\"},"
               "\"new\":{\"before\":\"%s%s\",\"after\":\"%s\"}%s}}",
               start, left, after, left, typed, after, numbered ? ",\"n\":00000000" : "") < 0)
    fail("out of memory");
  free(left);
  return all;
}

static char *format(size_t *length, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *bytes = NULL;
  int count = vasprintf(&bytes, format, arguments);
  va_end(arguments);
  if (count < 0) fail("out of memory");
  *length = (size_t)count;
  return bytes;
}

static char *request(const struct options *options, int session, size_t *length) {
  bool redis = options->protocol == REDIS_ECHO || options->protocol == REDIS_PUBLISH;
  char *text = payload(options, session, redis || options->protocol == ECHO);
  char *bytes;
  if (options->protocol == REDIS_ECHO)
    bytes = format(length, "*2\r\n$4\r\nECHO\r\n$%zu\r\n%s\r\n", strlen(text), text);
  else if (options->protocol == REDIS_PUBLISH)
    bytes = format(length, "*3\r\n$7\r\nPUBLISH\r\n$5\r\nbench\r\n$%zu\r\n%s\r\n", strlen(text), text);
  else
    return *length = strlen(text) + 1, text;
  free(text);
  return bytes;
}

static ptrdiff_t number_in(const char *bytes, size_t length) {
  const char *at = memmem(bytes, length, "\"n\":", 4);
  return at == NULL ? -1 : at + 4 - bytes;
}

// One request for each session from `first_session` on, and more rounds of them until a window fits in.
struct program calls(const struct options *options, int first_session) {
  struct program program = {0};
  int window = options->window > options->sessions ? options->window : options->sessions;
  program.count = (size_t)((window + options->sessions - 1) / options->sessions * options->sessions);
  for (size_t i = 0; i < program.count; i++) {
    size_t length;
    char *one = request(options, first_session + (int)i % options->sessions, &length);
    if (program.bytes == NULL) {
      program.request = length;
      program.bytes = malloc(length * program.count);
    }
    if (length != program.request) fail("requests of different lengths");
    memcpy(program.bytes + i * length, one, length);
    free(one);
  }
  program.number_at = number_in(program.bytes, program.request);
  return program;
}

struct program subscription(const struct options *options) {
  static const char *const texts[] = {
      [CLASSIFY] = "", [REDIS_ECHO] = "",
      [POST] = "{\"method\":\"io.contextdiff.Subscribe\",\"parameters\":{},\"more\":true}",
      [ECHO] = "subscribe", [REDIS_PUBLISH] = "*2\r\n$9\r\nSUBSCRIBE\r\n$5\r\nbench\r\n"};
  const char *text = texts[options->protocol];
  if (*text == 0) fail("nothing to subscribe to with this protocol");
  size_t length = strlen(text) + (options->protocol == REDIS_PUBLISH ? 0 : 1);
  return (struct program){.bytes = memcpy(malloc(length), text, length), .request = length, .count = 1, .number_at = -1};
}

static struct shape *new_shape(void) {
  struct shape *shape = calloc(1, sizeof *shape);
  shape->order = -1;
  return shape;
}

static struct shape *fixed_shape(const char *frame, size_t length) {
  struct shape *shape = new_shape();
  learn(shape, frame, length);
  shape->fixed = true;
  return shape;
}

// What is within a request of Redis from its last bulk string on: what it echoes.
static const char *bulk(const struct program *program, size_t *length) {
  const char *at = program->bytes;
  for (const char *next = at; (next = memmem(next, (size_t)(program->bytes + program->request - next), "\r\n$", 3));) at = next += 2;
  *length = (size_t)(program->bytes + program->request - at);
  return at;
}

struct shape *reply_shape(const struct options *options, const struct program *program) {
  size_t length = program->request;
  const char *frame = program->bytes;
  char text[32];
  switch (options->protocol) {
  case ECHO: break;
  case REDIS_ECHO: frame = bulk(program, &length); break;
  case REDIS_PUBLISH:
    length = (size_t)snprintf(text, sizeof text, ":%d\r\n", options->subscribers);
    frame = text;
    break;
  default: return new_shape();
  }
  return fixed_shape(frame, length);
}

struct shape *event_shape(const struct options *options, const struct program *program) {
  if (options->protocol == ECHO) return fixed_shape(program->bytes, program->request);
  if (options->protocol == REDIS_PUBLISH) {
    size_t length, all;
    const char *content = bulk(program, &length);
    char *frame = format(&all, "*3\r\n$7\r\nmessage\r\n$5\r\nbench\r\n%.*s", (int)length, content);
    struct shape *shape = fixed_shape(frame, all);
    free(frame);
    return shape;
  }
  struct shape *shape = new_shape();
  shape->event = true;
  return shape;
}

// What a subscription is answered with before any event; NULL where it is a frame that ends with a NUL.
struct shape *ready_shape(const struct options *options) {
  static const char subscribed[] = "*3\r\n$9\r\nsubscribe\r\n$5\r\nbench\r\n:1\r\n";
  if (options->protocol == REDIS_PUBLISH) return fixed_shape(subscribed, sizeof subscribed - 1);
  if (options->protocol == ECHO) return fixed_shape("subscribe", sizeof "subscribe");
  return NULL;
}
