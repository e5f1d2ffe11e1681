// From exec to the first answer.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "load.h"

static void nothing(struct connection *connection, int64_t number, void *context) {
  (void)connection, (void)number, (void)context;
}

static pid_t run(char **command) {
  pid_t child = vfork();
  if (child < 0) fail("vfork: %m");
  if (child == 0) {
    int null = open("/dev/null", O_RDWR);
    dup2(null, 0), dup2(null, 1), dup2(null, 2);
    execvp(command[0], command);
    _exit(127);
  }
  return child;
}

static void pause_shortly(void) {
  struct timespec time = {.tv_nsec = 20000};
  nanosleep(&time, NULL);
}

// D-Bus answers once a client has said who it is and Hello.
static void hello(int fd) {
  static const char body[] =
      "l\1\0\1\0\0\0\0\1\0\0\0\x6e\0\0\0"
      "\1\1o\0\x15\0\0\0/org/freedesktop/DBus\0\0\0"
      "\6\1s\0\x14\0\0\0org.freedesktop.DBus\0\0\0\0"
      "\2\1s\0\x14\0\0\0org.freedesktop.DBus\0\0\0\0"
      "\3\1s\0\5\0\0\0Hello\0\0";
  char uid[16], text[128];
  int digits = snprintf(uid, sizeof uid, "%u", getuid());
  size_t length = 0;
  text[length++] = 0;
  length += (size_t)sprintf(text + length, "AUTH EXTERNAL ");
  for (int i = 0; i < digits; i++) length += (size_t)sprintf(text + length, "%02x", uid[i]);
  length += (size_t)sprintf(text + length, "\r\nBEGIN\r\n");
  send_all(fd, text, length);
  send_all(fd, body, sizeof body);
  char reply[1024];
  size_t have = 0;
  while (memmem(reply, have, "l\2\1\1", 4) == NULL) {
    ssize_t count = recv(fd, reply + have, sizeof reply - have, 0);
    if (count <= 0) fail("no answer to Hello");
    have += (size_t)count;
  }
}

static uint64_t once(const struct options *options) {
  unlink(options->socket);
  uint64_t began = now();
  pid_t child = run(options->command);
  int fd;
  while ((fd = dial(options->socket)) < 0) {
    if (errno != ENOENT && errno != ECONNREFUSED) fail("%s: %m", options->socket);
    if (waitpid(child, NULL, WNOHANG) != 0) fail("%s ended before it answered", options->command[0]);
    if (now() - began > 20000000000u) fail("%s does not listen", options->command[0]);
    pause_shortly();
  }
  if (options->protocol == DBUS) {
    hello(fd);
  } else {
    struct program program = calls(options, 0);
    struct connection connection = {.fd = fd, .program = program, .shapes = reply_shapes(options, &program), .shape_count = program.count};
    connection.carry = malloc(BUFFER);
    send_calls(&connection, 1);
    while (receive(&connection, 0, nothing, NULL) == 0) continue;
    free(connection.carry);
  }
  uint64_t taken = now() - began;
  close(fd);
  kill(child, SIGTERM);
  int status;
  if (waitpid(child, &status, 0) != child) fail("waitpid: %m");
  return taken;
}

int start(const struct options *options) {
  prctl(PR_SET_TIMERSLACK, 1);
  struct samples samples = samples_of((size_t)options->repeat);
  once(options);  // the first finds the binary on disk
  for (int i = 0; i < options->repeat; i++) add_sample(&samples, once(options));
  printf("{");
  print_percentiles(&samples);
  printf("\"repeat\": %d}\n", options->repeat);
  return 0;
}
