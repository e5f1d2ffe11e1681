/*
 * Whatever is passed, a call returns: NULL everywhere, sizes, counts and numbers that cannot be, text that is none, bytes at
 * random for whole structs (their pointers aside). The number given seeds it.
 */
#include <contextdiff.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) \
  do { \
    if (!(condition)) { \
      fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition, contextdiff_last_error()); \
      exit(1); \
    } \
  } while (0)

static uint64_t state;

static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static uint64_t below(uint64_t limit) { return next() % limit; }

static void nothing(void) {
  contextdiff_observation observation = CONTEXTDIFF_OBSERVATION_INIT;
  contextdiff_text text = {0, 0};
  CHECK(contextdiff_session_post(NULL, NULL, NULL) < 0);
  CHECK(contextdiff_session_preview(NULL, NULL, NULL) < 0);
  CHECK(contextdiff_session_classify(NULL, NULL, NULL) < 0);
  CHECK(contextdiff_session_expect(NULL, NULL, NULL) < 0);
  CHECK(contextdiff_session_expect_snapshot(NULL, NULL, NULL) < 0);
  CHECK(contextdiff_session_withdraw(NULL, 0) < 0);
  CHECK(contextdiff_session_forget(NULL) < 0);
  contextdiff_session_free(NULL);
  CHECK(contextdiff_field_new((contextdiff_front_end)0, CONTEXTDIFF_TOOLKIT_QT) == NULL);
  CHECK(contextdiff_field_new(CONTEXTDIFF_FRONT_END_IBUS, (contextdiff_toolkit)77) == NULL);
  CHECK(contextdiff_field_focus_in(NULL) < 0 && contextdiff_field_reset(NULL) < 0);
  CHECK(contextdiff_field_key(NULL, 0, 0) < 0 && contextdiff_field_commit(NULL, text) < 0);
  CHECK(contextdiff_field_set_toolkit(NULL, CONTEXTDIFF_TOOLKIT_QT) < 0);
  CHECK(contextdiff_field_surrounding_text(NULL, text, 0, 0, &observation) < 0);
  CHECK(contextdiff_field_surrounding_utf16(NULL, NULL, 0, 0, 0, NULL) < 0);
  contextdiff_field_free(NULL);
  CHECK(contextdiff_client_fd(NULL) < 0 && contextdiff_client_process(NULL) < 0);
  CHECK(contextdiff_client_post(NULL, text, NULL, 0, NULL, NULL) < 0);
  CHECK(contextdiff_client_expect(NULL, text, NULL, NULL, NULL, NULL) < 0);
  CHECK(contextdiff_client_expect_snapshot(NULL, text, NULL, NULL, NULL, NULL) < 0);
  CHECK(contextdiff_client_withdraw(NULL, text, 0, NULL, NULL) < 0);
  CHECK(contextdiff_client_forget(NULL, text, NULL, NULL) < 0);
  CHECK(contextdiff_client_subscribe(NULL, NULL, NULL, NULL) < 0);
  contextdiff_client_free(NULL);

  contextdiff_session *session = contextdiff_session_new(NULL);
  CHECK(contextdiff_session_post(session, NULL, NULL) == CONTEXTDIFF_INVALID_ARGUMENT);
  CHECK(contextdiff_session_post(session, &observation, NULL) == CONTEXTDIFF_INVALID_ARGUMENT);
  CHECK(strcmp(contextdiff_last_error(), "observation.to: NULL") == 0);
  contextdiff_snapshot snapshot = CONTEXTDIFF_SNAPSHOT_INIT;
  observation.to = &snapshot;
  snapshot.before.data = "a\xff";
  snapshot.before.length = 2;
  CHECK(contextdiff_session_post(session, &observation, NULL) == CONTEXTDIFF_INVALID_TEXT);
  CHECK(strcmp(contextdiff_last_error(), "to.before: not UTF-8 at byte 1") == 0);
  /* No byte of a text that is too long is needed. */
  snapshot.before.data = "a";
  snapshot.before.length = (size_t)-2;
  CHECK(contextdiff_session_post(session, &observation, NULL) == CONTEXTDIFF_TOO_LARGE);
  snapshot.before.length = CONTEXTDIFF_TEXT_LIMIT + 1;
  CHECK(contextdiff_session_post(session, &observation, NULL) == CONTEXTDIFF_TOO_LARGE);
  char *large = malloc(CONTEXTDIFF_TEXT_LIMIT + 2);
  CHECK(large != NULL);
  memset(large, 'a', CONTEXTDIFF_TEXT_LIMIT + 2);
  snapshot.before.data = large;
  snapshot.before.length = CONTEXTDIFF_TEXT_LIMIT;
  CHECK(contextdiff_session_post(session, &observation, NULL) == CONTEXTDIFF_OK);
  snapshot.before.length = CONTEXTDIFF_UNTIL_NUL;
  large[CONTEXTDIFF_TEXT_LIMIT + 1] = 0;
  CHECK(contextdiff_session_post(session, &observation, NULL) == CONTEXTDIFF_TOO_LARGE);
  free(large);
  /* Nothing in it, from a later header; something in it that this library does not know. */
  struct { contextdiff_snapshot known; char later[32]; } grown;
  memset(&grown, 0, sizeof grown);
  grown.known.size = sizeof grown;
  observation.to = &grown.known;
  CHECK(contextdiff_session_post(session, &observation, NULL) == CONTEXTDIFF_OK);
  grown.later[31] = 1;
  CHECK(contextdiff_session_post(session, &observation, NULL) == CONTEXTDIFF_INVALID_ARGUMENT);
  grown.known.size = (size_t)-1;
  CHECK(contextdiff_session_post(session, &observation, NULL) == CONTEXTDIFF_INVALID_ARGUMENT);
  contextdiff_session_free(session);
}

/* A few bytes: letters, parts of scalars, combining marks, newlines, NULs. */
static contextdiff_text some_text(void) {
  static const char *const parts[] = {"a", "b", " ", "\n", "。", "か", "\u3099", "😀", "\u200d", "👨‍👩‍👧", "\xff", "\xe3", "\x81", ""};
  static char buffers[16][512];
  static int turn;
  char *buffer = buffers[turn++ % 16];
  contextdiff_text text = {buffer, 0};
  size_t valid = below(8) ? 10 : 14;
  for (uint64_t count = below(24); count > 0; count--) {
    const char *part = parts[below(valid)];
    size_t length = *part ? strlen(part) : 1;
    memcpy(buffer + text.length, part, length);
    text.length += length;
  }
  if (below(16) == 0) text.data = NULL;
  if (below(64) == 0) text.length = next() | 1ull << 40;
  return text;
}

static int64_t some_number(void) {
  static const int64_t edges[] = {0, 1, -1, INT64_MAX, INT64_MIN, INT32_MAX, INT32_MIN, UINT32_MAX, CONTEXTDIFF_TEXT_LIMIT};
  return below(3) ? (int64_t)below(20) - 3 : edges[below(9)];
}

/* Units: letters, both halves of a pair or one alone, a NUL, sometimes more than there may be. */
static size_t some_utf16(uint16_t *units) {
  static const uint16_t some[] = {'a', ' ', '\n', 0x304b, 0x3099, 0, 0xd83d, 0xde00, 0xffff};
  size_t length = (size_t)below(40), valid = below(4) ? 6 : 9;
  for (size_t place = 0; place < length; place++) {
    units[place] = some[below(valid)];
    if (valid == 6 && place + 1 < length && below(8) == 0) {
      units[place++] = 0xd83d;
      units[place] = 0xde00;
    }
  }
  return below(64) ? length : (size_t)(next() | 1ull << 40);
}

static void heard(const contextdiff_message *message, void *data) {
  (void)data;
  CHECK(message->type == CONTEXTDIFF_MESSAGE_DISCONNECTED || message->type == CONTEXTDIFF_MESSAGE_ENDED);
  CHECK(message->status < 0);
  CHECK(contextdiff_last_error()[0] != '\0');
}

static uint32_t some_value(uint32_t values) { return below(40) ? (uint32_t)below(values) : (uint32_t)next(); }

static contextdiff_snapshot some_snapshot(void) {
  contextdiff_snapshot snapshot = CONTEXTDIFF_SNAPSHOT_INIT;
  snapshot.before = some_text();
  if (below(3) == 0) snapshot.selected = some_text();
  snapshot.after = some_text();
  snapshot.has_text = (contextdiff_answer)some_value(3);
  snapshot.selection_shown = (contextdiff_answer)some_value(3);
  snapshot.caret_told = (contextdiff_answer)some_value(3);
  snapshot.caret = some_number();
  if (below(64) == 0) snapshot.size = (size_t)below(4096);
  return snapshot;
}

static void anything(contextdiff_session *session, contextdiff_field *field, contextdiff_client *client) {
  contextdiff_snapshot from = some_snapshot(), to = some_snapshot();
  contextdiff_observation observation = CONTEXTDIFF_OBSERVATION_INIT;
  const contextdiff_transition *transition = NULL;
  /* A size that reaches beyond the struct would be the caller's lie. */
  if (from.size > sizeof from) from.size = 3;
  if (to.size > sizeof to) to.size = 0;
  if (below(2)) observation.from = &from;
  observation.to = &to;
  if (below(3) == 0) observation.pasteboard = some_text();
  observation.window = (contextdiff_window)some_value(CONTEXTDIFF_WINDOW_FULL + 1);
  observation.cause = (contextdiff_cause)some_value(CONTEXTDIFF_CAUSE_OTHER + 1);
  observation.key = (contextdiff_key)some_value(CONTEXTDIFF_KEY_PASTE + 1);
  observation.composing = (contextdiff_answer)some_value(3);
  observation.composing_before = some_number();
  observation.composing_after = some_number();
  observation.merged = (contextdiff_answer)some_value(3);
  observation.reset = (contextdiff_answer)some_value(3);
  contextdiff_edit edit = CONTEXTDIFF_EDIT_INIT;
  edit.insert = some_text();
  edit.delete_backward = some_number();
  edit.delete_forward = some_number();
  edit.move_caret = some_number();
  edit.unit = (contextdiff_unit)some_value(CONTEXTDIFF_UNIT_BACKSPACE + 1);
  int status = 0;
  switch (below(16)) {
    case 0: contextdiff_session_expect(session, below(2) ? &from : NULL, &edit); return;
    case 1: contextdiff_session_expect_snapshot(session, below(2) ? &from : NULL, &to); return;
    case 2: contextdiff_session_withdraw(session, some_number()); return;
    case 3: status = contextdiff_session_preview(session, &observation, &transition); break;
    case 4: status = contextdiff_session_classify(session, &observation, &transition); break;
    case 5: {
      contextdiff_text text = some_text();
      contextdiff_field_key(field, (uint32_t)next(), (uint32_t)next());
      contextdiff_field_commit(field, text);
      contextdiff_field_set_toolkit(field, (contextdiff_toolkit)some_value(CONTEXTDIFF_TOOLKIT_CHROMIUM + 1));
      observation.from = NULL;
      status = contextdiff_field_surrounding_text(field, text, some_number(), some_number(), &observation);
      if (status == 1) contextdiff_session_post(session, &observation, &transition);
      return;
    }
    case 6: contextdiff_client_post(client, some_text(), &observation, (unsigned)some_value(2), NULL, NULL); return;
    case 7: contextdiff_client_expect(client, some_text(), &from, &edit, NULL, NULL); contextdiff_client_process(client); return;
    case 8: {
      contextdiff_text text = some_text();
      status = contextdiff_field_post(field, session, text, some_number(), some_number(), &transition);
      CHECK(status != 1 || transition != NULL);
      if (status == 1) status = CONTEXTDIFF_OK;
      break;
    }
    case 9: {
      uint16_t units[40];
      size_t length = some_utf16(units);
      observation.from = NULL;
      status = contextdiff_field_surrounding_utf16(
          field, below(16) ? units : NULL, length, some_number(), some_number(), &observation);
      CHECK(status < 0 || (status == 1) == (observation.to != NULL));
      if (status == 1) contextdiff_session_post(session, &observation, &transition);
      return;
    }
    case 10:
      CHECK(contextdiff_field_reset(field) == CONTEXTDIFF_OK);
      if (below(2)) CHECK(contextdiff_field_focus_in(field) == CONTEXTDIFF_OK);
      if (below(8) == 0) CHECK(contextdiff_session_forget(session) == CONTEXTDIFF_OK);
      return;
    case 11: contextdiff_client_withdraw(client, some_text(), some_number(), NULL, NULL); return;
    case 12: contextdiff_client_forget(client, some_text(), NULL, NULL); return;
    case 13: {
      contextdiff_subscription subscription = CONTEXTDIFF_SUBSCRIPTION_INIT;
      contextdiff_text sessions[3];
      for (int place = 0; place < 3; place++) sessions[place] = some_text();
      if (below(3)) subscription.sessions = sessions;
      /* A count of more than there are would be the caller's lie, but for one that cannot be. */
      subscription.session_count = below(16) ? (size_t)below(4) : (size_t)next() | 1ull << 40;
      subscription.since = some_number();
      subscription.instance = some_text();
      if (below(64) == 0) subscription.size = (size_t)below(sizeof subscription);
      contextdiff_client_subscribe(client, below(8) ? &subscription : NULL, below(4) ? heard : NULL, NULL);
      contextdiff_client_process(client);
      return;
    }
    default: status = contextdiff_session_post(session, &observation, &transition);
  }
  CHECK(status == CONTEXTDIFF_OK || (status < 0 && transition == NULL && contextdiff_last_error()[0] != 0));
  if (transition != NULL) CHECK(contextdiff_kind_name(transition->kind) != NULL);
}

int main(int argc, char **argv) {
  state = argc > 1 ? strtoull(argv[1], NULL, 10) * 2654435761u + 88172645463325252ull : 88172645463325252ull;
  int rounds = argc > 2 ? atoi(argv[2]) : 20000;
  nothing();
  contextdiff_client_options options = CONTEXTDIFF_CLIENT_OPTIONS_INIT;
  options.socket = CONTEXTDIFF_TEXT("/nonexistent/socket");
  contextdiff_client *client = contextdiff_client_new(&options);
  CHECK(client != NULL);
  contextdiff_session *session = contextdiff_session_new(NULL);
  contextdiff_field *field = contextdiff_field_new(CONTEXTDIFF_FRONT_END_IBUS, CONTEXTDIFF_TOOLKIT_UNKNOWN);
  for (int round = 0; round < rounds; round++) {
    anything(session, field, client);
    if (below(200) == 0) {
      contextdiff_session_free(session);
      contextdiff_field_free(field);
      contextdiff_session_options some = CONTEXTDIFF_SESSION_OPTIONS_INIT;
      some.memory = (size_t)below(300);
      some.terminators = CONTEXTDIFF_TEXT("。.a");
      session = contextdiff_session_new(&some);
      field = contextdiff_field_new((contextdiff_front_end)(1 + below(CONTEXTDIFF_FRONT_END_FCITX5_WAYLAND)), CONTEXTDIFF_TOOLKIT_UNKNOWN);
      CHECK(session != NULL && field != NULL);
    }
  }
  contextdiff_session_free(session);
  contextdiff_field_free(field);
  contextdiff_client_free(client);
  puts("ok");
  return 0;
}
