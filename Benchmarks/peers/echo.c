// The least that a server on this socket can do: gives frames that end with a NUL byte back as they came. A connection whose
// first frame is "subscribe" gets every frame that others send.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { READ = 65536, MOST = 16384 };

// The start of a frame whose end has not arrived; most connections never have one.
struct connection { int fd; int subscribed; char *carry; size_t carried; };

static struct connection *connections[MOST];
static int subscribers[MOST], subscriber_count;
static char buffer[READ + (1 << 22)];

// Blocks where the peer does not read: a measuring client keeps less in flight than the socket holds.
static void put(int fd, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t count = send(fd, bytes, length, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    bytes += count;
    length -= (size_t)count;
  }
}

static void finish(struct connection *connection) {
  for (int i = 0; connection->subscribed && i < subscriber_count; i++)
    if (subscribers[i] == connection->fd) subscribers[i] = subscribers[--subscriber_count];
  connections[connection->fd] = NULL;
  close(connection->fd);
  free(connection->carry);
  free(connection);
}

static void serve(struct connection *connection) {
  if (connection->carried > 0) memcpy(buffer, connection->carry, connection->carried);
  ssize_t count = recv(connection->fd, buffer + connection->carried, READ, MSG_DONTWAIT);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) return finish(connection);
  size_t have = connection->carried + (size_t)count;
  const char *last = memrchr(buffer, 0, have);
  size_t whole = last == NULL ? 0 : (size_t)(last + 1 - buffer);
  if (have - whole > sizeof buffer - READ) return finish(connection);
  if (whole > 0) {
    if (!connection->subscribed && strcmp(buffer, "subscribe") == 0) {
      connection->subscribed = 1;
      subscribers[subscriber_count++] = connection->fd;
    } else {
      for (int i = 0; i < subscriber_count; i++) put(subscribers[i], buffer, whole);
    }
    put(connection->fd, buffer, whole);
  }
  connection->carried = have - whole;
  if (connection->carried > 0) {
    connection->carry = realloc(connection->carry, connection->carried);
    memcpy(connection->carry, buffer + whole, connection->carried);
  }
}

int main(int count, char **arguments) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (count != 2 || strlen(arguments[1]) >= sizeof address.sun_path) return fputs("echo PATH\n", stderr), 64;
  strcpy(address.sun_path, arguments[1]);
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max < MOST ? files.rlim_max : MOST;
  setrlimit(RLIMIT_NOFILE, &files);
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), epoll = epoll_create1(EPOLL_CLOEXEC);
  unlink(arguments[1]);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0 || listen(listener, 4096) < 0)
    return perror(arguments[1]), 1;
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, ready[256];
  epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
  for (;;) {
    int events = epoll_wait(epoll, ready, 256, -1);
    for (int i = 0; i < events; i++) {
      int fd = ready[i].data.fd;
      if (fd != listener) {
        if (connections[fd] != NULL) serve(connections[fd]);
        continue;
      }
      int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
      if (client < 0) continue;
      connections[client] = calloc(1, sizeof **connections);
      connections[client]->fd = client;
      event = (struct epoll_event){.events = EPOLLIN, .data.fd = client};
      epoll_ctl(epoll, EPOLL_CTL_ADD, client, &event);
    }
  }
}
