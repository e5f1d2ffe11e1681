/* The daemon's client where the kernel has no memory to watch a connection to the daemon at argv[1]: prints what a post is answered with. */
#define _GNU_SOURCE
#include <contextdiff.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_denied, is_answered;

/* In the C library's place. */
int epoll_ctl(int epoll, int operation, int descriptor, struct epoll_event *event) {
  if (is_denied && operation == EPOLL_CTL_ADD) {
    errno = ENOMEM;
    return -1;
  }
  return (int)syscall(SYS_epoll_ctl, epoll, operation, descriptor, event);
}

static void posted(int status, int64_t number, const contextdiff_transition *transition, void *data) {
  (void)number, (void)transition, (void)data;
  printf("%d %s\n", status, contextdiff_last_error());
  is_answered = 1;
}

int main(int argc, char **argv) {
  contextdiff_client_options options = CONTEXTDIFF_CLIENT_OPTIONS_INIT;
  contextdiff_snapshot snapshot = CONTEXTDIFF_SNAPSHOT_INIT;
  contextdiff_observation observation = CONTEXTDIFF_OBSERVATION_INIT;
  contextdiff_client *client;
  struct pollfd fd = {-1, POLLIN, 0};
  options.socket = CONTEXTDIFF_TEXT(argv[argc - 1]);
  options.deadline = 600000000;
  client = contextdiff_client_new(&options);
  is_denied = 1;
  observation.to = &snapshot;
  if (contextdiff_client_post(client, CONTEXTDIFF_TEXT("notes"), &observation, 0, posted, NULL) != CONTEXTDIFF_OK) return 1;
  puts("posted");
  fflush(stdout);
  fd.fd = contextdiff_client_fd(client);
  while (!is_answered) {
    if (poll(&fd, 1, -1) < 0) return 1;
    contextdiff_client_process(client);
  }
  contextdiff_client_free(client);
  return 0;
}
