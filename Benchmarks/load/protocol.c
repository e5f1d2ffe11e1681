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
// What is typed where each post goes on with the one before.
static const char words[] = "文を書くのは楽しい";
enum { SCALAR = 3 };  // bytes of each character above

// `bytes` of the text, from its scalar number `first` on, round and round.
static char *turned(const char *text, size_t first, size_t bytes) {
  size_t length = strlen(text);
  char *turned = malloc(bytes + 1);
  for (size_t i = 0; i < bytes; i++) turned[i] = text[(first * SCALAR + i) % length];
  turned[bytes] = 0;
  return turned;
}

// How many different pairs a session's posts go round.
static int steps(const struct options *options) {
  if (options->typed > 0) return options->typed;
  return options->places > 0 ? options->places : 1;
}

static void inserted(const struct options *options, int step, char text[8]) {
  memset(text, 0, 8);
  memcpy(text, options->typed > 0 ? words + (size_t)step * SCALAR % (sizeof words - 1) : typed, SCALAR);
}

// The payload, the same for every server: the call, numbered where the server would give it back unread.
static char *payload(const struct options *options, int session, int step, bool numbered) {
  size_t right = options->text > 0 ? options->text / 9 * SCALAR : sizeof after - 1;
  size_t left = options->text > 0 ? options->text / SCALAR * SCALAR - right : sizeof before - 1;
  size_t place = options->places > 0 ? (size_t)step : 0;
  char *old = turned(before, place, left), *rest = turned(after, place, right);
  char *more = turned(words, 0, options->typed > 0 ? (size_t)step * SCALAR : 0);
  char new[8], start[128], *all = NULL;
  inserted(options, step, new);
  if (options->protocol == CLASSIFY)
    snprintf(start, sizeof start, "io.contextdiff.Classify\",\"parameters\":{");
  else
    snprintf(start, sizeof start, "io.contextdiff.Post\",\"parameters\":{\"session\":\"bench-%04d\",", session);
  if (asprintf(&all,
               "{\"method\":\"%s\"old\":{\"before\":\"%s%s\",\"after\":\"%s\"},"
               "\"new\":{\"before\":\"%s%s%s\",\"after\":\"%s\"}%s}}",
               start, old, more, rest, old, more, new, rest, numbered ? ",\"n\":00000000" : "") < 0)
    fail("out of memory");
  free(old), free(rest), free(more);
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

static bool is_numbered(const struct options *options) {
  return options->protocol == REDIS_ECHO || options->protocol == REDIS_PUBLISH || options->protocol == ECHO;
}

static char *request(const struct options *options, int session, int step, size_t *length) {
  char *text = payload(options, session, step, is_numbered(options));
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

static size_t number_back(const char *bytes, size_t length) {
  const char *at = memmem(bytes, length, "\"n\":", 4);
  return at == NULL ? 0 : (size_t)(bytes + length - (at + 4));
}

// Which of a session's pairs a request is: the sessions take turns.
static int step_of(const struct options *options, size_t request) {
  return (int)(request / (size_t)options->sessions) % steps(options);
}

// One request for each step of each session from `first_session` on, and more rounds of them until a window fits in.
struct program calls(const struct options *options, int first_session) {
  struct program program = {0};
  size_t round = (size_t)options->sessions * (size_t)steps(options);
  program.count = ((size_t)options->window + round - 1) / round * round;
  program.at = calloc(program.count + 1, sizeof *program.at);
  for (size_t i = 0; i < program.count; i++) {
    size_t length;
    char *one = request(options, first_session + (int)(i % (size_t)options->sessions), step_of(options, i), &length);
    program.bytes = realloc(program.bytes, program.at[i] + length);
    memcpy(program.bytes + program.at[i], one, length);
    program.at[i + 1] = program.at[i] + length;
    if (i == 0 && is_numbered(options)) program.number_back = number_back(one, length);
    free(one);
  }
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
  size_t *at = calloc(2, sizeof *at);
  at[1] = length;
  return (struct program){.bytes = memcpy(malloc(length), text, length), .at = at, .count = 1};
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
static const char *bulk(const struct program *program, size_t request, size_t *length) {
  const char *at = program->bytes + program->at[request], *end = program->bytes + program->at[request + 1];
  for (const char *next = at; (next = memmem(next, (size_t)(end - next), "\r\n$", 3));) at = next += 2;
  *length = (size_t)(end - at);
  return at;
}

// What is to be learned of one request's replies, or events.
static struct shape *learnt_shape(const struct options *options, size_t request, bool event) {
  struct shape *shape = new_shape();
  shape->event = event;
  inserted(options, step_of(options, request), shape->inserted);
  return shape;
}

static struct shape *reply_shape(const struct options *options, const struct program *program, size_t request) {
  size_t length = program->at[request + 1] - program->at[request];
  const char *frame = program->bytes + program->at[request];
  char text[32];
  switch (options->protocol) {
  case ECHO: break;
  case REDIS_ECHO: frame = bulk(program, request, &length); break;
  case REDIS_PUBLISH:
    length = (size_t)snprintf(text, sizeof text, ":%d\r\n", options->subscribers);
    frame = text;
    break;
  default: return learnt_shape(options, request, false);
  }
  return fixed_shape(frame, length);
}

static struct shape *event_shape(const struct options *options, const struct program *program, size_t request) {
  size_t length = program->at[request + 1] - program->at[request], all;
  if (options->protocol == ECHO) return fixed_shape(program->bytes + program->at[request], length);
  if (options->protocol != REDIS_PUBLISH) return learnt_shape(options, request, true);
  const char *content = bulk(program, request, &length);
  char *frame = format(&all, "*3\r\n$7\r\nmessage\r\n$5\r\nbench\r\n%.*s", (int)length, content);
  struct shape *shape = fixed_shape(frame, all);
  free(frame);
  return shape;
}

// One for each request; what is the same for all sessions, or in every round, is shared.
static struct shape **shapes(const struct options *options, const struct program *program, bool same_for_sessions,
                             struct shape *shape(const struct options *, const struct program *, size_t)) {
  size_t sessions = (size_t)options->sessions, round = sessions * (size_t)steps(options);
  struct shape **all = calloc(program->count, sizeof *all);
  for (size_t i = 0; i < program->count; i++) {
    size_t first = i % round;
    if (same_for_sessions) first -= first % sessions;
    all[i] = first == i ? shape(options, program, i) : all[first];
  }
  return all;
}

struct shape **reply_shapes(const struct options *options, const struct program *program) {
  return shapes(options, program, options->protocol != ECHO && options->protocol != REDIS_ECHO, reply_shape);
}

struct shape **event_shapes(const struct options *options, const struct program *program) {
  return shapes(options, program, false, event_shape);
}

// What a subscription is answered with before any event; NULL where it is a frame that ends with a NUL.
struct shape *ready_shape(const struct options *options) {
  static const char subscribed[] = "*3\r\n$9\r\nsubscribe\r\n$5\r\nbench\r\n:1\r\n";
  if (options->protocol == REDIS_PUBLISH) return fixed_shape(subscribed, sizeof subscribed - 1);
  if (options->protocol == ECHO) return fixed_shape("subscribe", sizeof "subscribe");
  return NULL;
}
