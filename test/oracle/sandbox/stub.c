/* Stands in for every program of the sandbox that is not there in person: says nothing about itself, since the tracer sees it start. */
#include <string.h>
#include <unistd.h>

/* Launchers whose inner command is simply behind their options; without them a command that they hide would never start. */
static const char *const PASSING[] = {"sudo", "doas", "time", "watch", "unbuffer", "ionice", "chrt", "strace", "busybox", 0};

static int is_passing(const char *name) {
  for (int i = 0; PASSING[i]; i++)
    if (!strcmp(PASSING[i], name)) return 1;
  return 0;
}

/* Copies standard input to standard output, at most 64 KB. */
static void copy(void) {
  char buffer[4096];
  for (int turns = 0; turns < 16; turns++) {
    ssize_t got = read(0, buffer, sizeof buffer);
    if (got <= 0 || write(1, buffer, (size_t)got) != got) return;
  }
}

/* What it prints: where the engine knows of what kind a program's output is, a text of that kind. */
static const char *answer(int argc, char **argv, const char *name) {
  if (!strcmp(name, "wc") || !strcmp(name, "date") || !strcmp(name, "nproc")) return "3\n";
  if (!strcmp(name, "seq")) return "1\n2\n";
  if (strcmp(name, "git") || argc < 3) return "a.txt\n";
  if (!strcmp(argv[1], "rev-parse") && !strcmp(argv[2], "--show-toplevel")) return "/repo\n";
  if (!strcmp(argv[1], "rev-parse") || !strcmp(argv[1], "merge-base") || !strcmp(argv[1], "rev-list")) return "0123abc\n";
  return "a.txt\n";
}

int main(int argc, char **argv) {
  const char *slash = strrchr(argv[0], '/');
  const char *name = slash ? slash + 1 : argv[0];
  if (is_passing(name)) {
    int first = 1;
    while (first < argc && argv[first][0] == '-') first++;
    if (first < argc) execvp(argv[first], argv + first);
    return 127;
  }
  if (!strcmp(name, "tee")) {
    copy();
    return 0;
  }
  /* A word that is also a file of the project, so that substitutions have something to give. */
  const char *text = answer(argc, argv, name);
  if (write(1, text, strlen(text)) != (ssize_t)strlen(text)) return 1;
  return !strcmp(name, "false") || !strcmp(name, "nope");
}
