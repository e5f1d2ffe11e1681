/*
 * The daemon's client in a loop of poll(2): posts to the daemon at argv[1], hears its own events, and prints what comes. With a
 * second argument it leaves calls unanswered and frees the client in a callback.
 */
#include <contextdiff.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static contextdiff_client *client;
static int answers, events, ready, freed;

static void posted(int status, int64_t number, const contextdiff_transition *transition, void *data) {
  printf("%s %d %lld %s\n", (const char *)data, status, (long long)number,
         transition ? contextdiff_kind_name(transition->kind) : status < 0 ? contextdiff_last_error() : "-");
  if (status != CONTEXTDIFF_CANCELLED && contextdiff_client_process(client) != CONTEXTDIFF_INVALID_ARGUMENT) exit(3);
  answers++;
}

static void heard(const contextdiff_message *message, void *data) {
  (void)data;
  if (message->size != sizeof *message || message->status != CONTEXTDIFF_OK) exit(4);
  if (message->type == CONTEXTDIFF_MESSAGE_READY) {
    ready = 1;
    printf("ready %lld\n", (long long)message->sequence);
  } else if (message->type == CONTEXTDIFF_MESSAGE_EVENT) {
    events++;
    printf("event %lld %.*s %s\n", (long long)message->sequence, (int)message->session.length, message->session.data,
           contextdiff_kind_name(message->transition->kind));
  }
}

static void last(int status, int64_t number, const contextdiff_transition *transition, void *data) {
  (void)number, (void)transition, (void)data;
  printf("freed in a callback %d\n", status);
  if (!freed) {
    freed = 1;
    contextdiff_client_free(client);
  }
}

static void wait_for(const int *count, int enough) {
  struct pollfd fd = {contextdiff_client_fd(client), (short)contextdiff_client_events(client), 0};
  while (*count < enough) {
    if (poll(&fd, 1, -1) < 0) exit(2);
    contextdiff_client_process(client);
  }
}

static int post(const char *before, const char *name) {
  contextdiff_snapshot snapshot = CONTEXTDIFF_SNAPSHOT_INIT;
  contextdiff_observation observation = CONTEXTDIFF_OBSERVATION_INIT;
  snapshot.before = CONTEXTDIFF_TEXT(before);
  observation.to = &snapshot;
  return contextdiff_client_post(client, CONTEXTDIFF_TEXT("notes"), &observation, 0, posted, (void *)name);
}

int main(int argc, char **argv) {
  contextdiff_client_options options = CONTEXTDIFF_CLIENT_OPTIONS_INIT;
  options.socket = CONTEXTDIFF_TEXT(argv[1]);
  options.deadline = 600000000;
  client = contextdiff_client_new(&options);
  if (client == NULL) return 2;
  /* Sessions that a caller has no list of are not all sessions. */
  contextdiff_subscription listless = CONTEXTDIFF_SUBSCRIPTION_INIT;
  listless.session_count = 1;
  if (contextdiff_client_subscribe(client, &listless, heard, NULL) != CONTEXTDIFF_INVALID_ARGUMENT) return 2;
  contextdiff_text sessions[] = {CONTEXTDIFF_TEXT("notes")};
  contextdiff_subscription subscription = CONTEXTDIFF_SUBSCRIPTION_INIT;
  subscription.sessions = sessions;
  subscription.session_count = 1;
  if (contextdiff_client_subscribe(client, &subscription, heard, NULL) < 0) return 2;
  wait_for(&ready, 1);

  contextdiff_edit edit = CONTEXTDIFF_EDIT_INIT;
  edit.insert = CONTEXTDIFF_TEXT("c");
  post("a", "baseline");
  post("ab", "typed");
  contextdiff_client_expect(client, CONTEXTDIFF_TEXT("notes"), NULL, &edit, posted, "announced");
  post("abc", "own");
  contextdiff_snapshot to = CONTEXTDIFF_SNAPSHOT_INIT;
  to.before = CONTEXTDIFF_TEXT("abcd");
  contextdiff_client_expect_snapshot(client, CONTEXTDIFF_TEXT("notes"), NULL, &to, posted, "announced");
  contextdiff_client_withdraw(client, CONTEXTDIFF_TEXT("notes"), 2, posted, "withdrawn");
  contextdiff_client_withdraw(client, CONTEXTDIFF_TEXT("notes"), 2, posted, "withdrawn");
  contextdiff_client_forget(client, CONTEXTDIFF_TEXT("notes"), posted, "forgotten");
  wait_for(&answers, 8);
  wait_for(&events, 2);

  if (argc > 2) {
    post("x", "unanswered");
    contextdiff_client_forget(client, CONTEXTDIFF_TEXT("notes"), last, NULL);
    contextdiff_client_forget(client, CONTEXTDIFF_TEXT("notes"), last, NULL);
    while (!freed) contextdiff_client_process(client);
  } else {
    contextdiff_client_free(client);
  }
  return 0;
}
