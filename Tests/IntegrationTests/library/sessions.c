/* Sessions and fields in process, through an installed libcontextdiff: what a C program sees. */
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

static int is(contextdiff_text text, const char *expected) {
  if (expected == NULL) return text.data == NULL;
  return text.data != NULL && text.length == strlen(expected) && memcmp(text.data, expected, text.length) == 0;
}

/* Posts what stands before and after the caret; gives what happened. */
static const contextdiff_transition *post(contextdiff_session *session, const char *before, const char *after) {
  contextdiff_snapshot snapshot = CONTEXTDIFF_SNAPSHOT_INIT;
  contextdiff_observation observation = CONTEXTDIFF_OBSERVATION_INIT;
  const contextdiff_transition *transition = NULL;
  snapshot.before = CONTEXTDIFF_TEXT(before);
  snapshot.after = CONTEXTDIFF_TEXT(after);
  observation.to = &snapshot;
  observation.window = CONTEXTDIFF_WINDOW_FULL;
  CHECK(contextdiff_session_post(session, &observation, &transition) == CONTEXTDIFF_OK);
  return transition;
}

static void sessions(void) {
  contextdiff_session *session = contextdiff_session_new(NULL);
  CHECK(session != NULL);
  CHECK(post(session, "今日は", NULL) == NULL);
  const contextdiff_transition *done = post(session, "今日は良い", NULL);
  CHECK(done != NULL && done->kind == CONTEXTDIFF_KIND_INSERTION);
  CHECK(done->size >= sizeof(contextdiff_transition));
  CHECK(is(done->inserted, "良い") && done->inserted.data[done->inserted.length] == 0);
  CHECK(is(done->removed, NULL));
  CHECK(done->cursor_offset_known == CONTEXTDIFF_YES && done->cursor_offset.scalars == 2);
  CHECK(done->leaves_composition == CONTEXTDIFF_NOT_TOLD);
  CHECK(strcmp(contextdiff_kind_name(done->kind), "insertion") == 0);

  /* Announced, shown; announced, taken back. */
  contextdiff_edit edit = CONTEXTDIFF_EDIT_INIT;
  edit.insert = CONTEXTDIFF_TEXT("天気");
  int64_t number = contextdiff_session_expect(session, NULL, &edit);
  CHECK(number > 0);
  done = post(session, "今日は良い天気", NULL);
  CHECK(done->kind == CONTEXTDIFF_KIND_EXPECTED && done->expected_count == 1 && done->expected[0] == number);
  int64_t next = contextdiff_session_expect(session, NULL, &edit);
  CHECK(next == number + 1);
  CHECK(contextdiff_session_withdraw(session, next) == CONTEXTDIFF_OK);
  CHECK(contextdiff_session_withdraw(session, next) == CONTEXTDIFF_NO_SUCH_EXPECTATION);
  done = post(session, "今日は良い天気天気", NULL);
  CHECK(done->kind == CONTEXTDIFF_KIND_INSERTION && done->expected_count == 0);

  /* A preview leaves the session as it was, and so does a pair for itself. */
  contextdiff_snapshot from = CONTEXTDIFF_SNAPSHOT_INIT, to = CONTEXTDIFF_SNAPSHOT_INIT;
  contextdiff_observation observation = CONTEXTDIFF_OBSERVATION_INIT;
  to.before = CONTEXTDIFF_TEXT("今日は良い天気");
  observation.to = &to;
  observation.key = CONTEXTDIFF_KEY_BACKSPACE;
  observation.composing_before = 2;
  CHECK(contextdiff_session_preview(session, &observation, &done) == CONTEXTDIFF_INVALID_ARGUMENT);
  CHECK(strcmp(contextdiff_last_error(), "composing: not YES, but something is being composed") == 0);
  observation.composing = CONTEXTDIFF_YES;
  CHECK(contextdiff_session_preview(session, &observation, &done) == CONTEXTDIFF_OK);
  CHECK(done->kind == CONTEXTDIFF_KIND_DELETION || done->kind == CONTEXTDIFF_KIND_UNDO);
  CHECK(is(done->removed, "天気") && done->leaves_composition != CONTEXTDIFF_NOT_TOLD);
  CHECK(contextdiff_session_classify(session, &observation, &done) == CONTEXTDIFF_INVALID_ARGUMENT);
  CHECK(strcmp(contextdiff_last_error(), "observation.from: NULL") == 0);
  from.before = CONTEXTDIFF_TEXT("ab");
  observation.from = &from;
  to.before = CONTEXTDIFF_TEXT("a");
  to.after = CONTEXTDIFF_TEXT("b");
  observation.key = CONTEXTDIFF_KEY_CARET;
  CHECK(contextdiff_session_classify(session, &observation, &done) == CONTEXTDIFF_OK);
  CHECK(done->kind == CONTEXTDIFF_KIND_CURSOR_MOVE && done->cursor_offset.scalars == -1);
  done = post(session, "今日は良い天気天気!", NULL);
  CHECK(is(done->inserted, "!"));

  CHECK(contextdiff_session_forget(session) == CONTEXTDIFF_OK);
  CHECK(contextdiff_session_expect(session, NULL, &edit) == CONTEXTDIFF_NO_BASELINE);
  CHECK(post(session, "", "") == NULL);
  contextdiff_session_free(session);
}

/* What hosts hand over. */
static void fields(void) {
  contextdiff_session *session = contextdiff_session_new(NULL);
  contextdiff_field *field = contextdiff_field_new(CONTEXTDIFF_FRONT_END_IBUS, CONTEXTDIFF_TOOLKIT_GTK3);
  contextdiff_observation seen = CONTEXTDIFF_OBSERVATION_INIT;
  const contextdiff_transition *done;
  CHECK(contextdiff_field_focus_in(field) == CONTEXTDIFF_OK);
  CHECK(contextdiff_field_surrounding_text(field, CONTEXTDIFF_TEXT("こん\n次"), 2, 2, &seen) == 1);
  CHECK(is(seen.to->before, "こん") && is(seen.to->selected, NULL) && is(seen.to->after, NULL));
  CHECK(seen.window == CONTEXTDIFF_WINDOW_LINE && seen.key == CONTEXTDIFF_KEY_NOT_TOLD);
  CHECK(contextdiff_session_post(session, &seen, &done) == CONTEXTDIFF_OK && done == NULL);
  CHECK(contextdiff_field_key(field, 'a', 0) == CONTEXTDIFF_OK);
  CHECK(contextdiff_field_surrounding_text(field, CONTEXTDIFF_TEXT("こんa\n次"), 3, 3, &seen) == 1);
  CHECK(seen.key == CONTEXTDIFF_KEY_CHARACTER);
  CHECK(contextdiff_session_post(session, &seen, &done) == CONTEXTDIFF_OK);
  CHECK(done->kind == CONTEXTDIFF_KIND_INSERTION && is(done->inserted, "a"));
  CHECK(contextdiff_field_surrounding_text(field, CONTEXTDIFF_TEXT("こんa\n次"), 3, 3, &seen) == 0 && seen.to == NULL);
  CHECK(contextdiff_field_surrounding_text(field, CONTEXTDIFF_TEXT("x"), 2, 2, &seen) == CONTEXTDIFF_OUT_OF_TEXT && seen.to == NULL);
  CHECK(contextdiff_field_key(field, 'z', 4) == CONTEXTDIFF_OK);
  CHECK(contextdiff_field_surrounding_text(field, CONTEXTDIFF_TEXT("こん\n次"), 2, 2, &seen) == 1 && seen.key == CONTEXTDIFF_KEY_UNDO);
  CHECK(contextdiff_field_set_toolkit(field, CONTEXTDIFF_TOOLKIT_FIREFOX) == CONTEXTDIFF_OK);
  CHECK(contextdiff_field_commit(field, CONTEXTDIFF_TEXT("は")) == CONTEXTDIFF_OK);
  CHECK(contextdiff_field_surrounding_text(field, CONTEXTDIFF_TEXT("こん\n次"), 3, 3, &seen) == 0);
  CHECK(contextdiff_field_surrounding_text(field, CONTEXTDIFF_TEXT("こんは\n次"), 3, 3, &seen) == 1);
  CHECK(contextdiff_field_commit(field, CONTEXTDIFF_TEXT(NULL)) == CONTEXTDIFF_INVALID_ARGUMENT);
  CHECK(contextdiff_field_set_toolkit(field, CONTEXTDIFF_TOOLKIT_GTK4) == CONTEXTDIFF_OK);
  CHECK(contextdiff_field_surrounding_text(field, CONTEXTDIFF_TEXT("hello wonderful"), 6, 4, &seen) == 1);
  CHECK(is(seen.to->selected, "wo"));
  CHECK(contextdiff_field_post(field, session, CONTEXTDIFF_TEXT("a"), 1, 1, &done) == 1);
  CHECK(contextdiff_field_post(field, session, CONTEXTDIFF_TEXT("a"), 1, 1, &done) == 0 && done == NULL);
  CHECK(contextdiff_field_post(field, session, CONTEXTDIFF_TEXT("a"), 9, 9, &done) == CONTEXTDIFF_OUT_OF_TEXT);
  CHECK(contextdiff_field_post(field, NULL, CONTEXTDIFF_TEXT("a"), 1, 1, &done) == CONTEXTDIFF_INVALID_ARGUMENT);
  contextdiff_field_free(field);

  field = contextdiff_field_new(CONTEXTDIFF_FRONT_END_ANDROID, CONTEXTDIFF_TOOLKIT_UNKNOWN);
  const uint16_t text[] = {'a', 0xD83D, 0xDE00, 'b'}, broken[] = {0xD83D};
  CHECK(contextdiff_field_surrounding_utf16(field, text, 4, 3, 1, &seen) == 1);
  CHECK(is(seen.to->before, "a") && is(seen.to->selected, "\xF0\x9F\x98\x80") && is(seen.to->after, "b"));
  CHECK(contextdiff_field_surrounding_utf16(field, broken, 1, 0, 0, &seen) == CONTEXTDIFF_INVALID_TEXT);
  contextdiff_field_free(field);
  contextdiff_session_free(session);

  CHECK(contextdiff_toolkit_of(CONTEXTDIFF_TEXT("gtk3-im:firefox-esr"), CONTEXTDIFF_TEXT(NULL)) == CONTEXTDIFF_TOOLKIT_FIREFOX);
  CHECK(contextdiff_toolkit_of(CONTEXTDIFF_TEXT(NULL), CONTEXTDIFF_TEXT(NULL)) == CONTEXTDIFF_TOOLKIT_UNKNOWN);
  CHECK(contextdiff_key_class(0xff08, 0) == CONTEXTDIFF_KEY_BACKSPACE);
}

int main(void) {
  CHECK(contextdiff_version() == CONTEXTDIFF_VERSION);
  CHECK(contextdiff_kind_name((contextdiff_kind)1000) == NULL);
  CHECK(contextdiff_kind_is_move(CONTEXTDIFF_KIND_LINE_SELECTION) == 1);
  CHECK(contextdiff_kind_is_move(CONTEXTDIFF_KIND_CUT) == 0);
  /* To be treated like OUT_OF_RANGE_TAP. */
  CHECK(contextdiff_kind_is_move((contextdiff_kind)1000) == 1);
  sessions();
  fields();
  puts("ok");
  return 0;
}
