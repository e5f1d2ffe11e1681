/*
 * contextdiff: what happened between two snapshots of the text around a caret.
 *
 * An input method sees only a keyhole of the text that a person edits: some text before the caret,
 * what is selected, some text after it. When the person taps elsewhere, cuts, pastes or undoes
 * without the input method, all that it gets is a new keyhole. This library says what happened
 * between the two. Its parts can be used apart:
 *
 *   contextdiff_session   in the caller's process: post snapshots, announce own edits, get readings.
 *                         A call costs microseconds.
 *   contextdiff_field     from what IBus, fcitx5, Wayland, Android or AT-SPI hand over, to what a
 *                         session or the daemon takes: units, mirrored anchors and false selections
 *                         of each toolkit put right.
 *   contextdiff_client    the same readings from contextdiffd, for a program with an event loop of
 *                         its own; and its events.
 *
 * The shortest use, from a field of IBus's to its readings:
 *
 *     contextdiff_session *session = contextdiff_session_new(NULL);
 *     contextdiff_field *field = contextdiff_field_new(CONTEXTDIFF_FRONT_END_IBUS, CONTEXTDIFF_TOOLKIT_GTK3);
 *     // on each key that goes to the host:
 *     contextdiff_field_key(field, keyval, state);
 *     // on each set_surrounding_text:
 *     const contextdiff_transition *done;
 *     if (contextdiff_field_post(field, session, CONTEXTDIFF_TEXT(text), cursor, anchor, &done) == 1)
 *       puts(contextdiff_kind_name(done->kind));
 *     // with the field:
 *     contextdiff_field_free(field);
 *     contextdiff_session_free(session);
 *
 * Text is UTF-8, given as pointer and length in bytes. Nothing that a caller passes is kept beyond
 * the call. No function aborts, throws or writes to a standard stream, whatever it is given;
 * pointers and lengths must of course name memory that is the caller's. The one exception: where
 * the process can have no more memory, Swift's runtime, which is inside the library, aborts it, and
 * may write a stack trace to standard error.
 *
 * Functions that return `int` return CONTEXTDIFF_OK or a positive number, or one of the negative
 * codes of contextdiff_status; contextdiff_last_error() then says it in words. Those words never
 * hold any of the text.
 *
 * An object is used by one thread at a time; different objects by different threads at once.
 * Nothing is locked, no thread is started, no signal is touched. The library is never unloaded
 * (dlclose leaves it where it is).
 *
 * C99 and C++17. ABI: structs begin with their size, set by their _INIT macros, so that later
 * versions can append members; what is appended is "not told" where all its bytes are zero.
 * Enumerations may gain values: an unknown kind is to be treated like
 * CONTEXTDIFF_KIND_OUT_OF_RANGE_TAP, and to be skipped among the alternatives.
 */
#ifndef CONTEXTDIFF_H
#define CONTEXTDIFF_H

#include <stddef.h>
#include <stdint.h>

#define CONTEXTDIFF_VERSION_MAJOR 0
#define CONTEXTDIFF_VERSION_MINOR 2
#define CONTEXTDIFF_VERSION_PATCH 0
/* The version that a program is compiled with, as a number: 0x010203 is 1.2.3. */
#define CONTEXTDIFF_VERSION ((CONTEXTDIFF_VERSION_MAJOR << 16) | (CONTEXTDIFF_VERSION_MINOR << 8) | CONTEXTDIFF_VERSION_PATCH)

#if defined(__GNUC__)
#define CONTEXTDIFF_API __attribute__((visibility("default")))
#else
#define CONTEXTDIFF_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that runs, as CONTEXTDIFF_VERSION. */
CONTEXTDIFF_API uint32_t contextdiff_version(void);

/* ---- Errors ---------------------------------------------------------------------------------- */

typedef enum contextdiff_status {
  CONTEXTDIFF_OK = 0,
  /* NULL where something is needed, a struct's size or an enumeration's value that the library does
   * not know, a negative count. */
  CONTEXTDIFF_INVALID_ARGUMENT = -1,
  /* Text that is not UTF-8 (or UTF-16). */
  CONTEXTDIFF_INVALID_TEXT = -2,
  /* A text of more than CONTEXTDIFF_TEXT_LIMIT bytes; a call, or a subscription, of more bytes than
   * the daemon takes. */
  CONTEXTDIFF_TOO_LARGE = -3,
  /* An edit was announced, and nothing says where it begins: no snapshot was posted yet. */
  CONTEXTDIFF_NO_BASELINE = -4,
  /* No announced edit of that number waits. */
  CONTEXTDIFF_NO_SUCH_EXPECTATION = -5,
  /* The caret's offset lies beyond the text: the two are of different moments, or of different
   * fields. */
  CONTEXTDIFF_OUT_OF_TEXT = -6,
  /* For what has no room. Nothing returns it so far: without memory the process ends (see above),
   * and contextdiff_client_new, without descriptors, returns NULL. */
  CONTEXTDIFF_NO_MEMORY = -7,
  /* The daemon's client: nobody answers at the socket, or the connection was lost, and then the
   * daemon may have done the call; contextdiff_last_error says which. */
  CONTEXTDIFF_NOT_CONNECTED = -8,
  /* The daemon's client: the deadline passed; the daemon may still do the call. The caller then
   * never learns an announced edit's number: contextdiff_client_forget takes the edit back, with
   * all that the session knows. */
  CONTEXTDIFF_TIMED_OUT = -9,
  /* The daemon's client: the daemon answered with another error (contextdiff_last_error has its
   * name, and what it names); io.contextdiff.NoSuchSession where it has no such session, to a
   * withdraw, a forget, and an expect without `from`, which is no CONTEXTDIFF_NO_BASELINE there. */
  CONTEXTDIFF_REFUSED = -10,
  /* The daemon's client: the client was freed before the answer came. */
  CONTEXTDIFF_CANCELLED = -11,
  /* The daemon's client: as many calls wait as may (contextdiff_client_options.calls), or 16 MiB of
   * them wait to be sent, where the daemon reads nothing or more is called for before
   * contextdiff_client_process; contextdiff_last_error says which. */
  CONTEXTDIFF_TOO_MANY_CALLS = -12
} contextdiff_status;

/*
 * What went wrong in this thread's last call that returned a negative code, or NULL for an object;
 * "" before the first. Names the argument and the limit ("to.before: not UTF-8 at byte 3"), never
 * the text. At most 255 bytes: a longer one is cut, between two characters. Valid until this
 * thread's next call.
 */
CONTEXTDIFF_API const char *contextdiff_last_error(void);

/* ---- Text ------------------------------------------------------------------------------------ */

/*
 * How much text a field of a snapshot, the pasteboard or an inserted text may hold, in bytes; for
 * the daemon's client only by the daemon's default: its own limit holds there (limits.fieldBytes in
 * contextdiffd.yaml(5)), and a longer text is CONTEXTDIFF_REFUSED.
 */
#define CONTEXTDIFF_TEXT_LIMIT 1048576

/* The most that a place of the caret, a length of composed text, a deadline or a memory's size may be. */
#define CONTEXTDIFF_COUNT_LIMIT 1099511627776

/* The length of a text that ends at its first NUL byte. */
#define CONTEXTDIFF_UNTIL_NUL SIZE_MAX

/*
 * UTF-8, lent. `data` NULL: not shown, or not known (the length is then not looked at). A `data`
 * other than NULL with the length 0 is the empty text, which says something of a pasteboard; a side
 * of a snapshot without text has NULL, for an empty text right of the caret says that another line
 * follows, if the window is, or may be, a sentence's. Bytes that are NUL are text like any other,
 * except with CONTEXTDIFF_UNTIL_NUL.
 */
typedef struct contextdiff_text {
  const char *data;
  size_t length; /* in bytes, or CONTEXTDIFF_UNTIL_NUL in what is passed to the library */
} contextdiff_text;

/* A NUL-terminated string as a text. NULL is "not shown". */
static inline contextdiff_text contextdiff_text_of(const char *string) {
  contextdiff_text text;
  text.data = string;
  text.length = CONTEXTDIFF_UNTIL_NUL;
  return text;
}
#define CONTEXTDIFF_TEXT(string) contextdiff_text_of(string)

/* ---- What is seen ---------------------------------------------------------------------------- */

/*
 * Whether something is so; 0 is "not told". To be compared, for NO is not zero: `if
 * (t->leaves_composition == CONTEXTDIFF_YES)`.
 */
typedef enum contextdiff_answer {
  CONTEXTDIFF_NOT_TOLD = 0,
  CONTEXTDIFF_YES = 1,
  CONTEXTDIFF_NO = 2
} contextdiff_answer;

/* How the host cuts the text that it shows. */
typedef enum contextdiff_window {
  /* A session learns it; a single pair is taken for a sentence's, where no line break in it says
   * otherwise. */
  CONTEXTDIFF_WINDOW_NOT_TOLD = 0,
  /* One sentence, with rules for newlines (iOS before 16). */
  CONTEXTDIFF_WINDOW_SENTENCE = 1,
  /* As sentence, but the text before the caret may hold earlier lines (iOS 16 and later). */
  CONTEXTDIFF_WINDOW_PARAGRAPH = 2,
  /* The caret's line or block, and hardly anything of its neighbours (GTK 3, Qt, Firefox). */
  CONTEXTDIFF_WINDOW_LINE = 3,
  /* A plain cut anywhere, newlines included (GTK 4, Wayland, Android). */
  CONTEXTDIFF_WINDOW_FULL = 4
} contextdiff_window;

/* Who the host says made a change (text-input-v3's change cause). */
typedef enum contextdiff_cause {
  CONTEXTDIFF_CAUSE_NOT_TOLD = 0,
  CONTEXTDIFF_CAUSE_INPUT_METHOD = 1,
  CONTEXTDIFF_CAUSE_OTHER = 2
} contextdiff_cause;

/* The class of the key that went to the host between two snapshots. */
typedef enum contextdiff_key {
  CONTEXTDIFF_KEY_NOT_TOLD = 0,
  /* Nobody pressed a key: a pointer, a menu, another program did it. */
  CONTEXTDIFF_KEY_NONE = 1,
  CONTEXTDIFF_KEY_CHARACTER = 2,
  CONTEXTDIFF_KEY_RETURN = 3,
  CONTEXTDIFF_KEY_BACKSPACE = 4,
  CONTEXTDIFF_KEY_DELETE = 5,
  /* An arrow, Home, End, Page Up or Down, with whatever else is held. */
  CONTEXTDIFF_KEY_CARET = 6,
  /* Any other key with Ctrl, Alt or Super. */
  CONTEXTDIFF_KEY_SHORTCUT = 7,
  /* The shortcuts of nearly every program: Ctrl+Z; Ctrl+Shift+Z, Ctrl+Y; Ctrl+X, Shift+Delete;
   * Ctrl+V, Ctrl+Shift+V, Shift+Insert; and the keys named Undo, Redo, Cut and Paste. */
  CONTEXTDIFF_KEY_UNDO = 8,
  CONTEXTDIFF_KEY_REDO = 9,
  CONTEXTDIFF_KEY_CUT = 10,
  CONTEXTDIFF_KEY_PASTE = 11
} contextdiff_key;

/*
 * The class of a key by its X11 keysym (IBus's keyval, fcitx5's Key::sym(), xkbcommon's
 * xkb_keysym_t) and the modifiers held, as X11, GDK, IBus and fcitx5 number them: Shift 1, Lock 2,
 * Control 4, Mod1 (Alt) 8, Mod4 (Super) 0x40; GDK's and IBus's virtual Super, Hyper and Meta
 * (0x4000000 … 0x10000000) count as Super. CONTEXTDIFF_KEY_NOT_TOLD for keys that do nothing to a
 * text by themselves: modifiers, locks, function keys, dead keys.
 */
CONTEXTDIFF_API contextdiff_key contextdiff_key_class(uint32_t keysym, uint32_t modifiers);

/* The text around the caret, at one moment. */
typedef struct contextdiff_snapshot {
  size_t size;
  contextdiff_text before;   /* left of the caret, or of the selection's left end */
  contextdiff_text selected; /* newlines included */
  contextdiff_text after;    /* right of the caret, or of the selection's right end */
  /* whether the host says that its field holds any text (UIKeyInput.hasText) */
  contextdiff_answer has_text;
  /* NO for a host that never tells what is selected: `selected` then says nothing */
  contextdiff_answer selection_shown;
  contextdiff_answer caret_told;      /* YES where `caret` holds */
  /* where the caret, or the selection's left end, stands in the whole document, in Unicode
   * scalars, from 0 to CONTEXTDIFF_COUNT_LIMIT */
  int64_t caret;
} contextdiff_snapshot;
#define CONTEXTDIFF_SNAPSHOT_INIT \
  { sizeof(contextdiff_snapshot), {NULL, 0}, {NULL, 0}, {NULL, 0}, CONTEXTDIFF_NOT_TOLD, CONTEXTDIFF_NOT_TOLD, CONTEXTDIFF_NOT_TOLD, 0 }

/*
 * Two snapshots, and what else is known of what lies between them. Zero is "not known" throughout.
 */
typedef struct contextdiff_observation {
  size_t size;
  /* before the change; NULL: the one that the session was posted last */
  const contextdiff_snapshot *from;
  const contextdiff_snapshot *to;   /* after it */
  contextdiff_text pasteboard;      /* its text now; "" is known to be empty */
  contextdiff_window window;
  contextdiff_cause cause;
  contextdiff_key key;
  /* YES where the next two hold: both 0 while there is a preedit that the host does not show as
   * text, as with IBus, fcitx5 and Wayland; not told, nothing is composed, and
   * leaves_composition is not told either */
  contextdiff_answer composing;
  /* how much of `from`'s text is being composed left of the caret, in Unicode scalars, each from 0
   * to CONTEXTDIFF_COUNT_LIMIT */
  int64_t composing_before;
  int64_t composing_after;      /* and right of it */
  contextdiff_answer merged;    /* YES: several acts may lie between the two */
  /* YES: the host reset its input method between the two, so nobody just typed */
  contextdiff_answer reset;
  /* YES: a shortcut that undoes, redoes, cuts or pastes is told by its own key, as a field does it,
   * so that CONTEXTDIFF_KEY_SHORTCUT is another, as Ctrl+W in a shell. Holds for a session once it is
   * posted; before, such a shortcut may be any of the four until one was posted by its own key. A
   * daemon is not told. */
  contextdiff_answer names_shortcuts;
} contextdiff_observation;
#define CONTEXTDIFF_OBSERVATION_INIT \
  { sizeof(contextdiff_observation), NULL, NULL, {NULL, 0}, CONTEXTDIFF_WINDOW_NOT_TOLD, CONTEXTDIFF_CAUSE_NOT_TOLD, \
    CONTEXTDIFF_KEY_NOT_TOLD, CONTEXTDIFF_NOT_TOLD, 0, 0, CONTEXTDIFF_NOT_TOLD, CONTEXTDIFF_NOT_TOLD, \
    CONTEXTDIFF_NOT_TOLD }

/* What an edit counts in. */
typedef enum contextdiff_unit {
  CONTEXTDIFF_UNIT_GRAPHEMES = 0,
  CONTEXTDIFF_UNIT_SCALARS = 1,
  CONTEXTDIFF_UNIT_UTF16 = 2,
  CONTEXTDIFF_UNIT_BYTES = 3,
  /* Presses of a key, each taking what the host's own rule takes (a mark, or its whole cluster). */
  CONTEXTDIFF_UNIT_BACKSPACE = 4
} contextdiff_unit;

/*
 * An edit at the caret, to be announced. What is selected goes first if the edit takes away or puts
 * in anything: in GRAPHEMES and BACKSPACE as the first unit taken away, as a key takes it, else
 * besides the units. Then goes what is left and right of the caret; then the text comes; then the
 * caret moves. A count is at most 2147483648.
 */
typedef struct contextdiff_edit {
  size_t size;
  contextdiff_text insert; /* NULL: none */
  int64_t delete_backward; /* how many units are taken away left of the caret; 0 or more */
  int64_t delete_forward;  /* and right of it; 0 or more */
  /* how many units the caret moves, positive towards the end of the text */
  int64_t move_caret;
  /* what hosts call characters, as deleteSurroundingText counts, are SCALARS */
  contextdiff_unit unit;
} contextdiff_edit;
#define CONTEXTDIFF_EDIT_INIT { sizeof(contextdiff_edit), {NULL, 0}, 0, 0, 0, CONTEXTDIFF_UNIT_GRAPHEMES }

/* ---- What happened --------------------------------------------------------------------------- */

typedef enum contextdiff_kind {
  CONTEXTDIFF_KIND_UNCHANGED = 0,       /* nothing to be seen */
  CONTEXTDIFF_KIND_CURSOR_MOVE = 1,     /* the caret to another place in the visible text */
  CONTEXTDIFF_KIND_SELECTION = 2,       /* text selected, or the selection changed */
  CONTEXTDIFF_KIND_DESELECTION = 3,     /* the selection given up */
  CONTEXTDIFF_KIND_LINE_SELECTION = 4,  /* exactly one whole line selected */
  CONTEXTDIFF_KIND_LINE_DESELECTION = 5,
  CONTEXTDIFF_KIND_CUT = 6,             /* the selection, or else the line, taken away into the pasteboard */
  CONTEXTDIFF_KIND_PASTE = 7,           /* the pasteboard's text put in */
  CONTEXTDIFF_KIND_OUT_OF_RANGE_TAP = 8, /* the caret to a place that was not visible */
  CONTEXTDIFF_KIND_INSERTION = 9,       /* other text put in */
  CONTEXTDIFF_KIND_DELETION = 10,       /* text taken away */
  CONTEXTDIFF_KIND_REPLACEMENT = 11,    /* text exchanged */
  CONTEXTDIFF_KIND_UNDO = 12,           /* the state before the session's last edit is back */
  CONTEXTDIFF_KIND_REDO = 13,           /* the undone one is back */
  CONTEXTDIFF_KIND_SUBMISSION = 14,     /* the field was sent and is empty */
  CONTEXTDIFF_KIND_WINDOW_SHIFT = 15,   /* nothing; the host cut the same text elsewhere */
  CONTEXTDIFF_KIND_EXPECTED = 16        /* what the input method had announced */
} contextdiff_kind;

/*
 * The kind's name as the daemon writes it ("outOfRangeTap"); NULL for a number that is none. Never
 * freed.
 */
CONTEXTDIFF_API const char *contextdiff_kind_name(contextdiff_kind kind);

/*
 * 1 where somebody went elsewhere or sent the field, rather than edited it: the caret's and the
 * selection's kinds, OUT_OF_RANGE_TAP and SUBMISSION; and for a number that is none. Else 0. A move
 * with `leaves_composition` YES is when to commit. Not so an edit: hosts tell the input method's own
 * late, or in part, which reads as one by somebody else.
 */
CONTEXTDIFF_API int contextdiff_kind_is_move(contextdiff_kind kind);

typedef enum contextdiff_certainty {
  CONTEXTDIFF_CERTAIN = 0, /* no other reading agrees, unless by coincidence */
  CONTEXTDIFF_LIKELY = 1   /* `alternatives` has others */
} contextdiff_certainty;

/* A signed length of text, in the units that programs count in. */
typedef struct contextdiff_extent {
  int64_t scalars;
  int64_t utf16;
  int64_t graphemes;
} contextdiff_extent;

/*
 * What happened between two snapshots. It belongs to the object that it came from: all of it is
 * valid until that gives another one, or is freed; announcing an edit changes nothing of it. Texts
 * end with a NUL byte that their length does not count.
 */
typedef struct contextdiff_transition {
  size_t size; /* of the library's struct: members beyond it are not there */
  contextdiff_kind kind;       /* the best reading */
  contextdiff_kind basic_kind; /* what the published decision list says, to the letter */
  contextdiff_certainty certainty;
  /* whether the caret or the edit left the text being composed; NOT_TOLD where none was given */
  contextdiff_answer leaves_composition;
  /* what else the pair could be, likeliest first; none where it is certain */
  const contextdiff_kind *alternatives;
  size_t alternative_count;
  contextdiff_answer cursor_offset_known; /* YES where `cursor_offset` holds */
  /* YES: inserted or removed reaches beyond what is known; else NO */
  contextdiff_answer is_partial;
  /* how far the caret, or a selection's left end, went, positive towards the end of the text: the
   * whole way, that of the announced edits shown included. Graphemes are those of the text between
   * by itself; where that was not seen and the host's `caret` alone tells its length, all three are
   * its number of scalars */
  contextdiff_extent cursor_offset;
  contextdiff_text inserted;        /* text that appeared, as far as it is known; NULL: none */
  contextdiff_text removed;         /* text that vanished */
  /* the numbers of the announced edits that the pair showed; with a kind other than expected, they
   * came first. NULL, with a count of 0, also with the kind expected, where the host shows a state
   * between several announced edits late */
  const int64_t *expected;
  size_t expected_count;
  /* those of which it is clear now that the host did not apply them, or only in part, and those that
   * gave way to others because 32 waited, of which nothing is clear; they wait no longer */
  const int64_t *unfulfilled;
  size_t unfulfilled_count;
} contextdiff_transition;

/* ---- Sessions, in process -------------------------------------------------------------------- */

/*
 * One document's consecutive snapshots: what they prove of its text, its history, and the edits
 * that were announced.
 */
typedef struct contextdiff_session contextdiff_session;

typedef struct contextdiff_session_options {
  size_t size;
  /* how much text around the caret the session may remember, in bytes, CONTEXTDIFF_COUNT_LIMIT at
   * most, and as much again of places that the caret left; 0: 65,536. Besides it holds the last
   * snapshot, announced edits, and what the last edits removed and inserted */
  size_t memory;
  /* the characters that end a sentence; NULL: the ones that contextdiffd takes by default */
  contextdiff_text terminators;
} contextdiff_session_options;
#define CONTEXTDIFF_SESSION_OPTIONS_INIT { sizeof(contextdiff_session_options), 0, {NULL, 0} }

/*
 * A session with nothing in it; `options` may be NULL. NULL, with contextdiff_last_error, for
 * options that cannot be.
 */
CONTEXTDIFF_API contextdiff_session *contextdiff_session_new(const contextdiff_session_options *options);

/* Ends a session. Does nothing for NULL. */
CONTEXTDIFF_API void contextdiff_session_free(contextdiff_session *session);

/*
 * Reads the change to `observation->to` and remembers it. `*transition` (which may be NULL for a
 * caller who does not ask) is NULL where the post only set the session's baseline: the first one,
 * without `from` (an announced edit that it shows waits no longer then, and nothing names it); and
 * after an error. Linear in the snapshots' length at worst, and in the remembered text's where the
 * caret went out of sight or several edits went at once; an ordinary pair costs about a
 * microsecond.
 */
CONTEXTDIFF_API int contextdiff_session_post(
    contextdiff_session *session, const contextdiff_observation *observation, const contextdiff_transition **transition);

/*
 * Reads the change as contextdiff_session_post would, and remembers nothing: `*transition` is NULL
 * where nothing was posted and the observation has no `from`.
 */
CONTEXTDIFF_API int contextdiff_session_preview(
    contextdiff_session *session, const contextdiff_observation *observation, const contextdiff_transition **transition);

/*
 * Reads one pair for itself: `from` is needed, and what the session remembers is neither looked at
 * nor changed.
 */
CONTEXTDIFF_API int contextdiff_session_classify(
    contextdiff_session *session, const contextdiff_observation *observation, const contextdiff_transition **transition);

/*
 * Announces an edit that the input method is about to make at the caret. Not to be done in a
 * password field: it is kept until a post shows it. Returns its number, which counts up from 1
 * within the session. A later post that shows it, or that shows several announced edits in one
 * step, comes out as expected. `from`: where the edit begins; NULL: where the edits announced so
 * far lead, or the session's last snapshot. After an edit that is announced with `from` before the
 * first post, give that post `from` too: without it the post only sets the baseline, and an edit
 * that it shows is never named. At most 32 wait; the oldest goes first. CONTEXTDIFF_NO_BASELINE
 * where nothing says where the edit begins, CONTEXTDIFF_INVALID_ARGUMENT for one that does nothing.
 * Linear in the length of what is given, whatever the session holds.
 */
CONTEXTDIFF_API int64_t contextdiff_session_expect(
    contextdiff_session *session, const contextdiff_snapshot *from, const contextdiff_edit *edit);

/*
 * Announces an edit, as contextdiff_session_expect does, by the snapshot `to` that the host will
 * show after it. Where both snapshots are cut at the same places and `to` selects nothing, it is the
 * edit at the caret that they show, in scalars; else only `to` itself is recognised.
 */
CONTEXTDIFF_API int64_t contextdiff_session_expect_snapshot(
    contextdiff_session *session, const contextdiff_snapshot *from, const contextdiff_snapshot *to);

/*
 * Takes back an announced edit that waits, and those announced on top of it.
 * CONTEXTDIFF_NO_SUCH_EXPECTATION where none of that number waits.
 */
CONTEXTDIFF_API int contextdiff_session_withdraw(contextdiff_session *session, int64_t expected);

/*
 * Forgets all: text, history, announced edits. The next post sets a new baseline; its options stay.
 * For another field. What it held is freed, not overwritten.
 */
CONTEXTDIFF_API int contextdiff_session_forget(contextdiff_session *session);

/* ---- From what hosts hand over --------------------------------------------------------------- */

/* The interface that delivered the text; it determines what offsets count. */
typedef enum contextdiff_front_end {
  CONTEXTDIFF_FRONT_END_IBUS = 1,    /* IBus's set_surrounding_text: characters (Qt: UTF-16) */
  /* fcitx5's SurroundingText, from its D-Bus front end: characters */
  CONTEXTDIFF_FRONT_END_FCITX5 = 2,
  /* input-method-v2's and text-input-v3's surrounding_text: bytes */
  CONTEXTDIFF_FRONT_END_WAYLAND = 3,
  CONTEXTDIFF_FRONT_END_ANDROID = 4, /* InputConnection's ExtractedText: UTF-16 */
  /* AT-SPI's Text interface: characters, the whole document; no more than CONTEXTDIFF_TEXT_LIMIT is
   * read */
  CONTEXTDIFF_FRONT_END_ATSPI = 5,
  /* fcitx5's SurroundingText, from its Wayland front end: characters */
  CONTEXTDIFF_FRONT_END_FCITX5_WAYLAND = 6
} contextdiff_front_end;

/* Who shows the text. */
typedef enum contextdiff_toolkit {
  CONTEXTDIFF_TOOLKIT_UNKNOWN = 0,
  CONTEXTDIFF_TOOLKIT_GTK3 = 1,
  CONTEXTDIFF_TOOLKIT_GTK4 = 2,
  CONTEXTDIFF_TOOLKIT_QT = 3, /* Qt 5 and 6 */
  CONTEXTDIFF_TOOLKIT_FIREFOX = 4,
  CONTEXTDIFF_TOOLKIT_CHROMIUM = 5
} contextdiff_toolkit;

/*
 * The toolkit by the client's name that IBus's focus_in_id tells ("gtk3-im:mousepad", "gtk4-im",
 * "QIBusInputContext"), and by the program's name, as far as it is known (fcitx5's
 * InputContext::program(); NULL). UNKNOWN where neither says.
 */
CONTEXTDIFF_API contextdiff_toolkit contextdiff_toolkit_of(contextdiff_text client, contextdiff_text program);

/*
 * What one input context tells, as it comes: each event of the host's goes in, and what comes out
 * can be posted to a session or to the daemon. It tells news from repetition, and an old field's
 * text from the new one's, by a digest of the last text; it keeps no text but what
 * contextdiff_field_surrounding_utf16 returned, until the next call that tells it something else.
 */
typedef struct contextdiff_field contextdiff_field;

/*
 * A field of a toolkit, seen through a front end. NULL, with contextdiff_last_error, for a value
 * that names no front end or no toolkit.
 */
CONTEXTDIFF_API contextdiff_field *contextdiff_field_new(contextdiff_front_end front_end, contextdiff_toolkit toolkit);

/* Ends a field. Does nothing for NULL. */
CONTEXTDIFF_API void contextdiff_field_free(contextdiff_field *field);

/*
 * The focus came to this input context, perhaps to another field in it: the text of the field
 * before, which IBus tells once more, is not taken for this one's. The session is to be forgotten,
 * too. IBus does not tell again what it has told of an input context: where the focus comes back to
 * one of GTK's, whoever posts the last snapshot as the baseline reads the first act there, too.
 */
CONTEXTDIFF_API int contextdiff_field_focus_in(contextdiff_field *field);

/*
 * Who shows the text from now on, where one object serves input contexts of several programs;
 * before contextdiff_field_focus_in.
 */
CONTEXTDIFF_API int contextdiff_field_set_toolkit(contextdiff_field *field, contextdiff_toolkit toolkit);

/*
 * The input method puts `text` into the field; to be called before the host tells so. Firefox moves
 * the caret behind the text before it shows the text: after this call such a state is nothing new,
 * once for each commit. The session hears of the edit by contextdiff_session_expect.
 */
CONTEXTDIFF_API int contextdiff_field_commit(contextdiff_field *field, contextdiff_text text);

/* The host reset its input method. */
CONTEXTDIFF_API int contextdiff_field_reset(contextdiff_field *field);

/*
 * A key press goes to the host (not one that the input method takes itself, and no release); as
 * contextdiff_key_class. The class of what was pressed since the last news is told with the next:
 * one key by its class, several of different classes as merged, no key as CONTEXTDIFF_KEY_NONE. A
 * caller that never sees keys never calls this, and the next function says nothing of keys then.
 */
CONTEXTDIFF_API int contextdiff_field_key(contextdiff_field *field, uint32_t keysym, uint32_t modifiers);

/*
 * The host told its text, UTF-8, with the two ends of the selection as they came: `cursor` and
 * `anchor` in the front end's unit (bytes, characters or UTF-16 units), IBus's unsigned ones as
 * they are or negative. Fills `observation`: `to`, `window`, `key`, `merged`, `reset` and
 * `names_shortcuts`; the rest stays as it was, for the caller to add. Its text is the caller's, its
 * snapshot the field's, valid until the field's next call.
 *
 * CONTEXTDIFF_OUT_OF_TEXT: the caret is outside of the text. From GTK 4 through fcitx5 and Wayland
 * the caret comes as `anchor`, and `cursor` is the selection's other end; elsewhere it is `cursor`.
 * Another end outside of the text stands for its nearer end: the selection goes on beyond what the
 * host shows. An empty part has NULL for its `data`, whether the host hides it or it is empty: to be
 * read with its length.
 *
 * Returns 1: news; 0: nothing new (the same again, or the text of the field before); negative: an
 * error. Without news `to` is NULL, and nothing can be posted. After CONTEXTDIFF_OUT_OF_TEXT, text
 * and caret of different moments, the host tells the right ones next: nothing is to be done. After
 * another error the session is to be forgotten: what the host tells next is no change of what was
 * seen before.
 */
CONTEXTDIFF_API int contextdiff_field_surrounding_text(
    contextdiff_field *field, contextdiff_text text, int64_t cursor, int64_t anchor, contextdiff_observation *observation);

/*
 * The two steps in one, for who has nothing to add to what the host told:
 * contextdiff_field_surrounding_text, and what is new is posted to a session. Returns 1:
 * `*transition`, which is the session's, says what happened; 0: nothing new, or only the session's
 * baseline, and `*transition` is NULL; negative: an error. `leaves_composition` is never told then.
 */
CONTEXTDIFF_API int contextdiff_field_post(
    contextdiff_field *field, contextdiff_session *session, contextdiff_text text, int64_t cursor, int64_t anchor,
    const contextdiff_transition **transition);

/*
 * contextdiff_field_surrounding_text with UTF-16 (Android, Windows); `length` in units. The
 * observation's text is the field's, valid until its next call.
 */
CONTEXTDIFF_API int contextdiff_field_surrounding_utf16(
    contextdiff_field *field, const uint16_t *text, size_t length, int64_t cursor, int64_t anchor, contextdiff_observation *observation);

/* ---- The daemon's client --------------------------------------------------------------------- */

/*
 * A connection to contextdiffd for a program with an event loop of its own. It never blocks and
 * connects by itself, again and again, when there is something to say or to hear. The loop waits
 * until contextdiff_client_fd is readable and calls contextdiff_client_process; that is all, for
 * deadlines and reconnecting too. It waits as poll(2) does, level-triggered: a call may leave bytes
 * for the next turn, which EPOLLET would not tell of again. All callbacks come from
 * contextdiff_client_process (and the last ones, with CONTEXTDIFF_CANCELLED, from
 * contextdiff_client_free), never from within the call that was made; in a callback any function of
 * the client may be called but contextdiff_client_process, which is CONTEXTDIFF_INVALID_ARGUMENT
 * there, and contextdiff_client_free. A callback does not throw.
 *
 * A child of fork(2) makes a client of its own: of its parent's it may only ask the descriptor, and
 * free it; all else is CONTEXTDIFF_INVALID_ARGUMENT.
 */
typedef struct contextdiff_client contextdiff_client;

typedef struct contextdiff_client_options {
  size_t size;
  /* the socket's path, 107 bytes at most; NULL: $CONTEXTDIFF_SOCKET, else
   * $XDG_RUNTIME_DIR/contextdiff/io.contextdiff, else /run/contextdiff/io.contextdiff */
  contextdiff_text socket;
  /* after how long a call is answered with CONTEXTDIFF_TIMED_OUT, in microseconds,
   * CONTEXTDIFF_COUNT_LIMIT at most; 0: 100,000 */
  uint64_t deadline;
  /* how many calls may wait for the daemon, those included that were answered with
   * CONTEXTDIFF_TIMED_OUT meanwhile, but for a contextdiff_client_forget without a callback; 0:
   * 1,024 */
  size_t calls;
} contextdiff_client_options;
#define CONTEXTDIFF_CLIENT_OPTIONS_INIT { sizeof(contextdiff_client_options), {NULL, 0}, 0, 0 }

/*
 * A client that is not connected yet; `options` may be NULL. NULL, with contextdiff_last_error, for
 * options that cannot be, or without descriptors.
 */
CONTEXTDIFF_API contextdiff_client *contextdiff_client_new(const contextdiff_client_options *options);

/* Ends a client: what still waits is answered with CONTEXTDIFF_CANCELLED. Does nothing for NULL. */
CONTEXTDIFF_API void contextdiff_client_free(contextdiff_client *client);

/*
 * The descriptor to wait for, the same for the client's life. It is the client's: not to be read,
 * written or closed; a loop lets go of it before contextdiff_client_free, which closes it.
 */
CONTEXTDIFF_API int contextdiff_client_fd(const contextdiff_client *client);

/* What to wait for, as poll(2) has it: always POLLIN. */
CONTEXTDIFF_API int contextdiff_client_events(const contextdiff_client *client);

/* Does all that can be done without waiting. Returns how many callbacks it called. */
CONTEXTDIFF_API int contextdiff_client_process(contextdiff_client *client);

/*
 * The answer to a call: once, whatever happens. `status` CONTEXTDIFF_OK, or why there is none, then
 * also in contextdiff_last_error. `number`: the event's sequence for a post (0 where it only set
 * the baseline, or is secure), the announced edit's number for an expectation, else 0.
 * `transition`: what happened, for a post; NULL where the post only set the baseline. Valid for the
 * time of the callback.
 */
typedef void (*contextdiff_reply_callback)(int status, int64_t number, const contextdiff_transition *transition, void *data);

/*
 * For contextdiff_client_post's `flags`: a password field; classified for the caller alone, kept
 * nowhere, reported to nobody. To be given with `from`: without it the pair begins at the session's
 * last snapshot, which no such post sets.
 */
#define CONTEXTDIFF_SECURE 1u

/*
 * The daemon's Post, Expect, Withdraw and Forget, for a session of that name. They return
 * CONTEXTDIFF_OK where the call is on its way and its `callback` (which may be NULL) will come, or
 * an error, and then it won't. While nobody answers at the socket a call fails, with
 * CONTEXTDIFF_NOT_CONNECTED, in its callback; a daemon that has no room for one more connection at
 * the moment is waited for, until the deadline. Calls that the daemon has not read when the client
 * is freed are not done, except a contextdiff_client_forget without a callback for which the
 * socket had room: a daemon that hangs takes none once it is full. A call longer than the daemon
 * takes (limits.frameBytes) is CONTEXTDIFF_TOO_LARGE, in its callback; before the first one of more
 * than 4 KiB on a connection the client asks the daemon for that limit, and calls wait for the
 * answer, within the 16 MiB of calls that may wait to be sent.
 *
 * A session is a text field's, and its name (1 to 255 bytes without control characters) its own, in
 * all the user's programs: a process ID and a count make one. Where another field gets the focus,
 * and the session goes on with it, it is forgotten first. Calls are done in the order in which they
 * were made: an edit can be made once contextdiff_client_expect has returned. For what is announced
 * before a session's first post, see contextdiff_session_expect. After a post that
 * failed the session may know less than the caller thinks: forget it, or give `from` with the next
 * post, which else is read as a change of an earlier snapshot. The numbers of announced edits begin
 * anew with the session: when it was forgotten, or the daemon had no room for it, or was started
 * again and has lost it, as by a crash.
 */
CONTEXTDIFF_API int contextdiff_client_post(
    contextdiff_client *client, contextdiff_text session, const contextdiff_observation *observation, unsigned flags,
    contextdiff_reply_callback callback, void *data);
CONTEXTDIFF_API int contextdiff_client_expect(
    contextdiff_client *client, contextdiff_text session, const contextdiff_snapshot *from, const contextdiff_edit *edit,
    contextdiff_reply_callback callback, void *data);
CONTEXTDIFF_API int contextdiff_client_expect_snapshot(
    contextdiff_client *client, contextdiff_text session, const contextdiff_snapshot *from, const contextdiff_snapshot *to,
    contextdiff_reply_callback callback, void *data);
CONTEXTDIFF_API int contextdiff_client_withdraw(
    contextdiff_client *client, contextdiff_text session, int64_t expected, contextdiff_reply_callback callback, void *data);
CONTEXTDIFF_API int contextdiff_client_forget(
    contextdiff_client *client, contextdiff_text session, contextdiff_reply_callback callback, void *data);

typedef enum contextdiff_message_type {
  /* subscribed: what is posted from now on comes; again after each reconnection */
  CONTEXTDIFF_MESSAGE_READY = 1,
  CONTEXTDIFF_MESSAGE_EVENT = 2, /* a transition of a session */
  /* events were lost: `lost` of them, or -1 where the number can't be known (another run of the
   * daemon; some sessions alone heard) */
  CONTEXTDIFF_MESSAGE_LOST = 3,
  /* nobody answers now, for the reason that contextdiff_last_error says in words; the client tries
   * again by itself */
  CONTEXTDIFF_MESSAGE_DISCONNECTED = 4,
  /* The subscription has ended, for the reason in `status`: the daemon refused it
   * (CONTEXTDIFF_REFUSED), it is longer than the daemon takes (CONTEXTDIFF_TOO_LARGE), or the
   * answer can't be read (CONTEXTDIFF_NOT_CONNECTED). contextdiff_last_error says it in words. */
  CONTEXTDIFF_MESSAGE_ENDED = 5
} contextdiff_message_type;

/* What a subscription tells. Valid for the time of the callback. */
typedef struct contextdiff_message {
  size_t size; /* of the library's struct: members beyond it are not there */
  contextdiff_message_type type;
  /* the event's; the one up to which events were lost; with READY that of the latest event there
   * is, not one that was heard: kept events that come first, for `since` or after a reconnection,
   * have it or lower ones. Rises by one for each event of the user's */
  int64_t sequence;
  int64_t lost;
  int64_t time; /* of an event, in microseconds since the epoch */
  contextdiff_text session;  /* an event's session */
  /* which run of the daemon counts the sequence; to be given as `instance` with `since` */
  contextdiff_text instance;
  const contextdiff_transition *transition; /* an event's */
  /* why the subscription has ended, or why nobody answers: a code of contextdiff_status; else
   * CONTEXTDIFF_OK */
  int status;
} contextdiff_message;

typedef void (*contextdiff_message_callback)(const contextdiff_message *message, void *data);

typedef struct contextdiff_subscription {
  size_t size;
  /* NULL, with a session_count of 0: all sessions of this user; else those alone, 1,024 at most */
  const contextdiff_text *sessions;
  /* with 0 and `sessions` other than NULL no event comes, but CONTEXTDIFF_MESSAGE_READY does */
  size_t session_count;
  /* a sequence already seen, of `instance`: what the daemon still keeps after it comes first; -1:
   * only what comes */
  int64_t since;
  contextdiff_text instance;
} contextdiff_subscription;
#define CONTEXTDIFF_SUBSCRIPTION_INIT { sizeof(contextdiff_subscription), NULL, 0, -1, {NULL, 0} }

/*
 * Streams events to `callback`, until the client is freed or CONTEXTDIFF_MESSAGE_ENDED has come.
 * After a lost connection, or another run of the daemon, the client subscribes again from the last
 * one that it got, so that each event comes once and in order; what was lost is told. The client's
 * own posts are heard, too, perhaps before their replies; those made before
 * CONTEXTDIFF_MESSAGE_READY may not be. A daemon that is stopped takes a subscription and says
 * nothing, not even CONTEXTDIFF_MESSAGE_READY, until it goes on. A client has one subscription:
 * another call replaces it. `subscription` NULL: all that comes; `callback` NULL: none any more.
 */
CONTEXTDIFF_API int contextdiff_client_subscribe(
    contextdiff_client *client, const contextdiff_subscription *subscription, contextdiff_message_callback callback, void *data);

#ifdef __cplusplus
}
#endif

#endif
