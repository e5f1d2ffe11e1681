/*
 * Posts to a session of contextdiffd's and hears its events, in a loop of sd-event's:
 *
 *     cc sd-event.c $(pkg-config --cflags --libs contextdiff libsystemd)
 */
#include <contextdiff.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <systemd/sd-event.h>
#include <unistd.h>

static contextdiff_client *client;
static char name[32]; /* The session's: one field's, and no other process's. */

static int readable(sd_event_source *source, int fd, uint32_t events, void *data) {
  (void)source, (void)fd, (void)events, (void)data;
  return contextdiff_client_process(client);
}

static void posted(int status, int64_t number, const contextdiff_transition *transition, void *data) {
  (void)number, (void)transition, (void)data;
  /* Within the deadline or not at all: an input method goes on without. */
  if (status < 0 && status != CONTEXTDIFF_CANCELLED) fprintf(stderr, "not known: %s\n", contextdiff_last_error());
}

static void post(const char *before) {
  contextdiff_snapshot snapshot = CONTEXTDIFF_SNAPSHOT_INIT;
  contextdiff_observation observation = CONTEXTDIFF_OBSERVATION_INIT;
  snapshot.before = CONTEXTDIFF_TEXT(before);
  observation.to = &snapshot;
  contextdiff_client_post(client, CONTEXTDIFF_TEXT(name), &observation, 0, posted, NULL);
}

static void heard(const contextdiff_message *message, void *loop) {
  if (message->type == CONTEXTDIFF_MESSAGE_DISCONNECTED) fprintf(stderr, "%s\n", contextdiff_last_error());
  if (message->type == CONTEXTDIFF_MESSAGE_READY) post("今日"), post("今日は");
  if (message->type == CONTEXTDIFF_MESSAGE_EVENT) {
    const contextdiff_transition *done = message->transition;
    printf("%s %.*s\n", contextdiff_kind_name(done->kind), (int)done->inserted.length, done->inserted.data);
    contextdiff_client_forget(client, CONTEXTDIFF_TEXT(name), NULL, NULL); /* The field, or its focus, is gone. */
    sd_event_exit(loop, 0);
  }
}

int main(void) {
  sd_event *loop = NULL;
  snprintf(name, sizeof name, "example-%d", (int)getpid());
  contextdiff_text session = CONTEXTDIFF_TEXT(name);
  contextdiff_subscription subscription = CONTEXTDIFF_SUBSCRIPTION_INIT;
  subscription.sessions = &session, subscription.session_count = 1;
  client = contextdiff_client_new(NULL);
  if (client == NULL || sd_event_default(&loop) < 0) return 1;
  sd_event_add_io(loop, NULL, contextdiff_client_fd(client), EPOLLIN, readable, NULL);
  contextdiff_client_subscribe(client, &subscription, heard, loop);
  int status = sd_event_loop(loop);
  sd_event_unref(loop); /* Before the descriptor is closed. */
  contextdiff_client_free(client);
  return status < 0;
}
