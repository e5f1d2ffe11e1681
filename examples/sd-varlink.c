/*
 * The wire alone, by systemd's own Varlink client (systemd 257, Debian 13): nothing of contextdiff's is linked.
 *
 *     cc sd-varlink.c $(pkg-config --cflags --libs libsystemd)
 */
#include <stdio.h>
#include <stdlib.h>
#include <systemd/sd-json.h>
#include <systemd/sd-varlink.h>
#include <unistd.h>

static char session[32]; /* One field's name, and no other process's. */

/* Posts what stands before the caret; gives the transition's member of that name, NULL for a baseline. */
static sd_json_variant *post(sd_varlink *link, const char *before, const char *member) {
  sd_json_variant *reply = NULL;
  const char *error = NULL;
  int status = sd_varlink_callbo(
      link, "io.contextdiff.Post", &reply, &error, SD_JSON_BUILD_PAIR_STRING("session", session),
      SD_JSON_BUILD_PAIR("new", SD_JSON_BUILD_OBJECT(SD_JSON_BUILD_PAIR_STRING("before", before))));
  if (status < 0 || error != NULL) {
    fprintf(stderr, "not known: %s\n", error != NULL ? error : "no answer");
    exit(1);
  }
  sd_json_variant *transition = sd_json_variant_by_key(reply, "transition");
  return transition == NULL ? NULL : sd_json_variant_by_key(transition, member);
}

int main(void) {
  const char *path = getenv("CONTEXTDIFF_SOCKET"), *runtime = getenv("XDG_RUNTIME_DIR");
  char standard[108]; /* as long as a socket's path may be */
  sd_varlink *link = NULL;
  if (path == NULL || *path == 0) {
    if (runtime == NULL || *runtime == 0) runtime = "/run";
    if ((size_t)snprintf(standard, sizeof standard, "%s/contextdiff/io.contextdiff", runtime) >= sizeof standard) return 1;
    path = standard;
  }
  if (sd_varlink_connect_address(&link, path) < 0) {
    fprintf(stderr, "no daemon answers on %s\n", path);
    return 1;
  }
  snprintf(session, sizeof session, "example-%d", (int)getpid());
  post(link, "今日", "kind");
  sd_json_variant *kind = post(link, "今日は", "kind");
  if (kind == NULL) return 1;
  puts(sd_json_variant_string(kind));
  /* The field, or its focus, is gone, and so is what is kept of it. */
  sd_varlink_callbo(link, "io.contextdiff.Forget", NULL, NULL, SD_JSON_BUILD_PAIR_STRING("session", session));
  sd_varlink_unref(link);
  return 0;
}
