#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "load.h"

static const char usage_text[] =
    "load --protocol P --mode M --socket PATH [options] [-- COMMAND...]\n"
    "  P: varlink-classify varlink-post echo redis-echo redis-publish dbus\n"
    "  M: round-trip pipelined fan-out start hold\n"
    "  --seconds S  --warmup S  --window N  --connections N  --subscribers N  --sessions N\n"
    "  --idle N  --text BYTES  --typed N  --places N  --repeat N  --server PID\n"
    "Prints one JSON object. Exit status 1: a reply was wrong, or something was lost.\n";

static enum protocol protocol_named(const char *name) {
  static const char *const names[] = {[CLASSIFY] = "varlink-classify", [POST] = "varlink-post",
                                      [ECHO] = "echo", [REDIS_ECHO] = "redis-echo",
                                      [REDIS_PUBLISH] = "redis-publish", [DBUS] = "dbus"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return (enum protocol)i;
  fputs(usage_text, stderr);
  exit(64);
}

int main(int count, char **arguments) {
  static const struct option long_options[] = {
      {"protocol", 1, 0, 'p'}, {"mode", 1, 0, 'm'},        {"socket", 1, 0, 's'}, {"seconds", 1, 0, 't'},
      {"warmup", 1, 0, 'u'},   {"window", 1, 0, 'w'},      {"idle", 1, 0, 'i'},   {"connections", 1, 0, 'c'},
      {"text", 1, 0, 'x'},     {"subscribers", 1, 0, 'b'}, {"repeat", 1, 0, 'r'}, {"sessions", 1, 0, 'e'},
      {"server", 1, 0, 'v'},   {"typed", 1, 0, 'y'},       {"places", 1, 0, 'l'}, {0}};
  struct options options = {
      .mode = "", .seconds = 0.4, .warmup = 0.05, .connections = 1, .window = 1, .sessions = 1, .repeat = 20};
  for (int option; (option = getopt_long(count, arguments, "", long_options, NULL)) != -1;) {
    switch (option) {
    case 'p': options.protocol = protocol_named(optarg); break;
    case 'm': options.mode = optarg; break;
    case 's': options.socket = optarg; break;
    case 't': options.seconds = atof(optarg); break;
    case 'u': options.warmup = atof(optarg); break;
    case 'w': options.window = atoi(optarg); break;
    case 'i': options.idle = atoi(optarg); break;
    case 'c': options.connections = atoi(optarg); break;
    case 'x': options.text = (size_t)atol(optarg); break;
    case 'b': options.subscribers = atoi(optarg); break;
    case 'r': options.repeat = atoi(optarg); break;
    case 'e': options.sessions = atoi(optarg); break;
    case 'y': options.typed = atoi(optarg); break;
    case 'l': options.places = atoi(optarg); break;
    case 'v': options.server = atoi(optarg); break;
    default: fputs(usage_text, stderr); return 64;
    }
  }
  options.command = arguments + optind;
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  if (options.socket != NULL) {
    if (strcmp(options.mode, "round-trip") == 0) return round_trip(&options);
    if (strcmp(options.mode, "pipelined") == 0) return pipelined(&options);
    if (strcmp(options.mode, "fan-out") == 0) return fan_out(&options);
    if (strcmp(options.mode, "start") == 0) return start(&options);
    if (strcmp(options.mode, "hold") == 0) return hold(&options);
  }
  fputs(usage_text, stderr);
  return 64;
}
