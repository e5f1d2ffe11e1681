/* What an input method does with the library, a function for each event of its framework's.
 *
 *     cc engine.c $(pkg-config --cflags --libs contextdiff) -o engine && ./engine
 */
#include <contextdiff.h>
#include <stdio.h>

static contextdiff_session *session;
static contextdiff_field *field;
static const char *preedit = ""; /* what is composed */

/* The focus came, perhaps to another field. */
static void focus_in(void) {
  contextdiff_field_focus_in(field);
  contextdiff_session_forget(session);
}

/* What is deleted is announced likewise: delete_backward, in CONTEXTDIFF_UNIT_SCALARS, but for Qt over IBus in UTF16. */
static void commit(void) {
  contextdiff_edit edit = CONTEXTDIFF_EDIT_INIT;
  edit.insert = CONTEXTDIFF_TEXT(preedit);
  contextdiff_field_commit(field, edit.insert);
  contextdiff_session_expect(session, NULL, &edit);
  printf("committed %s\n", preedit); /* here: ibus_engine_commit_text, InputContext::commitString */
  preedit = "";
}

/* The host told its text. */
static void surrounding_text(const char *text, int64_t cursor, int64_t anchor) {
  contextdiff_observation seen = CONTEXTDIFF_OBSERVATION_INIT;
  const contextdiff_transition *done;
  if (contextdiff_field_surrounding_text(field, CONTEXTDIFF_TEXT(text), cursor, anchor, &seen) != 1) return;
  seen.composing = *preedit ? CONTEXTDIFF_YES : CONTEXTDIFF_NOT_TOLD;
  if (contextdiff_session_post(session, &seen, &done) < 0 || done == NULL) return;
  printf("%s\n", contextdiff_kind_name(done->kind));
  if (done->leaves_composition == CONTEXTDIFF_YES && done->certainty == CONTEXTDIFF_CERTAIN && contextdiff_kind_is_move(done->kind))
    commit();
}

int main(void) {
  session = contextdiff_session_new(NULL);
  field = contextdiff_field_new(CONTEXTDIFF_FRONT_END_IBUS, CONTEXTDIFF_TOOLKIT_GTK4);
  focus_in();
  surrounding_text("see you soon", 12, 12);
  preedit = "今日"; /* keys that the engine takes; one that it leaves is told: contextdiff_field_key(field, keyval, state) */
  surrounding_text("see you soon", 8, 8);         /* a click: cursorMove, and GTK 4 drops the preedit */
  surrounding_text("see you 今日soon", 10, 10);   /* the commit: expected */
  contextdiff_field_free(field);
  contextdiff_session_free(session);
}
