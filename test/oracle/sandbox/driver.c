/*
 * Runs command lines under the shell that argv[1] names (bash, dash or zsh) inside the sandbox and says what the kernel saw: every program that started, every file that was
 * opened for writing or changed, every connection, and bash's own trace of its commands. It is the tracer of all that it starts.
 *
 *   standard input:   repeated: decimal length, newline, that many bytes of a command line
 *   standard output:  once per line, in order: u32 length, then records: u32 length, one letter, fields separated by NUL
 *       X cwd exe argv…   a program started          W path kind       a file was opened for writing, or changed
 *       C family address  a connection was tried     T text            what bash traced (xtrace)
 *       E status          how the line ended: exit status, `timeout` or `processes`
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <netinet/in.h>

enum { TRACE_FD = 250, MOST_PROCESSES = 120, MOST_RECORDS = 2000, WALL_MS = 1000 };

/* ---- the answer ---- */

static char *answer;
static size_t answer_length, answer_room;
static int records;

static void append(const void *bytes, size_t length) {
  while (answer_length + length > answer_room) {
    answer_room = answer_room ? answer_room * 2 : 65536;
    answer = realloc(answer, answer_room);
    if (!answer) exit(3);
  }
  memcpy(answer + answer_length, bytes, length);
  answer_length += length;
}

/* Set before the processes of a line are killed. From then on their memory and links may be gone while they are read. */
static volatile sig_atomic_t killed;

static void record(char letter, const char *const *fields, int count, const char *rest, size_t rest_length) {
  if (letter != 'E' && letter != 'T' && (killed || ++records > MOST_RECORDS)) return;
  uint32_t length = 1;
  for (int i = 0; i < count; i++) length += strlen(fields[i]) + 1;
  length += rest_length;
  append(&length, 4);
  append(&letter, 1);
  for (int i = 0; i < count; i++) append(fields[i], strlen(fields[i]) + 1);
  append(rest, rest_length);
}

/* ---- what a traced process did ---- */

static int read_text(pid_t pid, uint64_t address, char *into, size_t room) {
  size_t done = 0;
  while (done + 1 < room) {
    size_t page = 4096 - ((address + done) & 4095);
    size_t want = room - 1 - done < page ? room - 1 - done : page;
    struct iovec here = {into + done, want}, there = {(void *)(uintptr_t)(address + done), want};
    ssize_t got = process_vm_readv(pid, &here, 1, &there, 1, 0);
    if (got <= 0) return -1;
    char *end = memchr(into + done, 0, (size_t)got);
    if (end) return 0;
    done += (size_t)got;
  }
  into[done] = 0;
  return 0;
}

static void link_of(pid_t pid, const char *what, char *into) {
  char name[64];
  snprintf(name, sizeof name, "/proc/%d/%s", pid, what);
  ssize_t got = readlink(name, into, 4095);
  into[got < 0 ? 0 : got] = 0;
}

/* The absolute path that a process means, links resolved as far as there are files. */
static void absolute(pid_t pid, int directory, const char *path, char *into) {
  char full[8300], base[4096], what[32];
  if (path[0] == '/') snprintf(full, sizeof full, "%s", path);
  else {
    if (directory == AT_FDCWD) strcpy(what, "cwd");
    else snprintf(what, sizeof what, "fd/%d", directory);
    link_of(pid, what, base);
    snprintf(full, sizeof full, "%s/%s", base, path);
  }
  if (realpath(full, into)) return;
  char *slash = strrchr(full, '/');
  char last[4096];
  snprintf(last, sizeof last, "%.4095s", slash ? slash + 1 : full);
  if (slash) *(slash == full ? slash + 1 : slash) = 0;
  if (strcmp(last, "..") && strcmp(last, ".") && realpath(full, base)) snprintf(into, 4096, "%s/%.2000s", strcmp(base, "/") ? base : "", last);
  else snprintf(into, 4096, "%.2000s/%.2000s", full, last);
}

static void program_started(pid_t pid) {
  char cwd[4096], exe[4096], name[64];
  static char words[262144];
  link_of(pid, "cwd", cwd);
  link_of(pid, "exe", exe);
  snprintf(name, sizeof name, "/proc/%d/cmdline", pid);
  int fd = open(name, O_RDONLY | O_CLOEXEC);
  size_t length = 0;
  for (;;) {
    ssize_t got = fd < 0 ? 0 : read(fd, words + length, sizeof words - length);
    if (got <= 0) break;
    length += (size_t)got;
  }
  if (fd >= 0) close(fd);
  const char *fields[] = {cwd, exe};
  record('X', fields, 2, words, length);
}

static void changed(pid_t pid, int directory, uint64_t address, const char *kind) {
  char path[4096], full[4096];
  if (read_text(pid, address, path, sizeof path)) strcpy(path, "?");
  absolute(pid, directory, path, full);
  const char *fields[] = {full, kind};
  record('W', fields, 2, "", 0);
}

static void connected(pid_t pid, uint64_t address, uint64_t size) {
  struct sockaddr_storage to = {0};
  struct iovec here = {&to, size < sizeof to ? size : sizeof to}, there = {(void *)(uintptr_t)address, here.iov_len};
  if (process_vm_readv(pid, &here, 1, &there, 1, 0) <= 0) return;
  char family[16], port[200] = "";
  snprintf(family, sizeof family, "%d", to.ss_family);
  if (to.ss_family == AF_INET) snprintf(port, sizeof port, "%d", ntohs(((struct sockaddr_in *)&to)->sin_port));
  if (to.ss_family == AF_UNIX) snprintf(port, sizeof port, "%.107s", ((struct sockaddr_un *)&to)->sun_path);
  const char *fields[] = {family, port};
  record('C', fields, 2, "", 0);
}

#define ENTRY(name) case __NR_##name
static void syscall_seen(pid_t pid) {
  struct __ptrace_syscall_info info;
  if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info) <= 0 || info.op != PTRACE_SYSCALL_INFO_SECCOMP) return;
  const uint64_t *a = info.seccomp.args;
  char kind[32];
  switch (info.seccomp.nr) {
    ENTRY(openat):
      snprintf(kind, sizeof kind, "open %llo", (unsigned long long)a[2]);
      changed(pid, (int)a[0], a[1], kind);
      return;
    ENTRY(openat2): changed(pid, (int)a[0], a[1], "open 1"); return;
    ENTRY(connect): connected(pid, a[1], a[2]); return;
    ENTRY(unlinkat): ENTRY(mkdirat): ENTRY(mknodat): ENTRY(fchmodat): ENTRY(fchownat): changed(pid, (int)a[0], a[1], "change"); return;
    ENTRY(renameat2): ENTRY(linkat): changed(pid, (int)a[0], a[1], "change"); changed(pid, (int)a[2], a[3], "change"); return;
    ENTRY(symlinkat): changed(pid, (int)a[1], a[2], "change"); return;
    ENTRY(truncate): changed(pid, AT_FDCWD, a[0], "change"); return;
#ifdef __NR_open
    ENTRY(open):
      snprintf(kind, sizeof kind, "open %llo", (unsigned long long)a[1]);
      changed(pid, AT_FDCWD, a[0], kind);
      return;
    ENTRY(creat): changed(pid, AT_FDCWD, a[0], "open 1"); return;
    ENTRY(unlink): ENTRY(rmdir): ENTRY(mkdir): ENTRY(mknod): ENTRY(chmod): ENTRY(chown): ENTRY(lchown):
      changed(pid, AT_FDCWD, a[0], "change");
      return;
    ENTRY(rename): ENTRY(link): changed(pid, AT_FDCWD, a[0], "change"); changed(pid, AT_FDCWD, a[1], "change"); return;
    ENTRY(symlink): changed(pid, AT_FDCWD, a[1], "change"); return;
#endif
#ifdef __NR_renameat
    ENTRY(renameat): changed(pid, (int)a[0], a[1], "change"); changed(pid, (int)a[2], a[3], "change"); return;
#endif
  }
}

/* ---- the filter: only these calls stop the process ---- */

#define ALWAYS(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE)
#define WHEN_WRITING(name, argument)                                                                           \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 4),                                                      \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[argument])),                         \
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, 0, 1),                         \
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static int install_filter(void) {
  struct sock_filter code[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    WHEN_WRITING(openat, 2),
    ALWAYS(openat2), ALWAYS(connect), ALWAYS(unlinkat), ALWAYS(mkdirat), ALWAYS(mknodat), ALWAYS(fchmodat),
    ALWAYS(fchownat), ALWAYS(renameat2), ALWAYS(linkat), ALWAYS(symlinkat), ALWAYS(truncate),
#ifdef __NR_open
    WHEN_WRITING(open, 1),
    ALWAYS(creat), ALWAYS(unlink), ALWAYS(rmdir), ALWAYS(mkdir), ALWAYS(mknod), ALWAYS(chmod), ALWAYS(chown),
    ALWAYS(lchown), ALWAYS(rename), ALWAYS(link), ALWAYS(symlink),
#endif
#ifdef __NR_renameat
    ALWAYS(renameat),
#endif
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof code / sizeof *code, code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return -1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* ---- the private root ---- */

static void remove_below(const char *folder) {
  DIR *dir = opendir(folder);
  if (!dir) return;
  for (struct dirent *entry; (entry = readdir(dir));) {
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    struct stat is;
    if (lstat(path, &is)) continue;
    if (S_ISDIR(is.st_mode)) {
      chmod(path, 0700);
      remove_below(path);
      rmdir(path);
    } else unlink(path);
  }
  closedir(dir);
}

static void copy_below(const char *from, const char *to) {
  DIR *dir = opendir(from);
  if (!dir) return;
  for (struct dirent *entry; (entry = readdir(dir));) {
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    char source[4096], target[4096], text[65536];
    snprintf(source, sizeof source, "%s/%s", from, entry->d_name);
    snprintf(target, sizeof target, "%s/%s", to, entry->d_name);
    struct stat is;
    if (lstat(source, &is)) continue;
    if (S_ISDIR(is.st_mode)) {
      mkdir(target, 0755);
      copy_below(source, target);
    } else if (S_ISLNK(is.st_mode)) {
      ssize_t got = readlink(source, text, sizeof text - 1);
      text[got < 0 ? 0 : got] = 0;
      if (symlink(text, target)) exit(4);
    } else {
      int in = open(source, O_RDONLY), out = open(target, O_WRONLY | O_CREAT | O_TRUNC, 0644);
      ssize_t got = read(in, text, sizeof text);
      if (got < 0 || write(out, text, (size_t)got) != got) exit(4);
      close(in);
      close(out);
    }
  }
  closedir(dir);
}

/* The project, the home folder and /tmp as they were. */
static void fresh_root(void) {
  static const char *const FOLDERS[] = {"/repo", "/home/me", "/tmp", 0};
  for (int i = 0; FOLDERS[i]; i++) {
    char from[64];
    snprintf(from, sizeof from, "/layout%s", FOLDERS[i]);
    remove_below(FOLDERS[i]);
    copy_below(from, FOLDERS[i]);
  }
}

/* ---- one line ---- */

static const char *shell = "bash";

static char *const ENVIRONMENT[] = {"PATH=/usr/bin", "HOME=/home/me", "LANG=C.UTF-8", "SHLVL=1", "SHELLOPTS=xtrace",
                                    "BASH_XTRACEFD=250", "PS4=\001", 0};

static void limit(int what, rlim_t most) {
  struct rlimit is = {most, most};
  setrlimit(what, &is);
}

static void become_shell(const char *line) {
  int null = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3; fd++) dup2(null, fd);
  for (int fd = 3; fd < TRACE_FD; fd++) close(fd);
  limit(RLIMIT_CPU, 1);
  limit(RLIMIT_FSIZE, 1 << 18);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_AS, 512l << 20);
  if (chdir("/repo")) _exit(120);
  raise(SIGSTOP);
  if (install_filter()) _exit(121);
  char *const words[] = {(char *)shell, "-c", (char *)line, 0};
  char program[32];
  snprintf(program, sizeof program, "/usr/bin/%s", shell);
  execve(program, words, ENVIRONMENT);
  _exit(122);
}

static volatile sig_atomic_t expired;
static void on_alarm(int signal) {
  (void)signal;
  expired = killed = 1;
  kill(-1, SIGKILL);
}

/* Handles one stop of a traced process and lets it go on. */
static void go_on(pid_t pid, int status, int *processes) {
  int signal = WSTOPSIG(status), event = status >> 16;
  if (event == PTRACE_EVENT_EXEC) program_started(pid);
  else if (event == PTRACE_EVENT_SECCOMP) syscall_seen(pid);
  else if (event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK || event == PTRACE_EVENT_CLONE) ++*processes;
  if (event == PTRACE_EVENT_STOP && (signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU)) {
    /* A job that stops would wait for ever. */
    kill(pid, SIGCONT);
    ptrace(PTRACE_CONT, pid, 0, 0);
    return;
  }
  ptrace(PTRACE_CONT, pid, 0, event ? 0 : signal);
}

static void run(const char *line, int trace) {
  answer_length = 0;
  records = 0;
  expired = killed = 0;
  if (ftruncate(trace, 0)) exit(4);
  pid_t first = fork();
  if (first == 0) become_shell(line);
  int status, processes = 1, result = -1, crowded = 0;
  waitpid(first, &status, WUNTRACED);
  ptrace(PTRACE_SEIZE, first, 0,
         PTRACE_O_TRACEEXEC | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL);
  kill(first, SIGCONT);
  struct itimerval wall = {{0, 20000}, {WALL_MS / 1000, WALL_MS % 1000 * 1000}}, none = {0};
  setitimer(ITIMER_REAL, &wall, 0);
  for (;;) {
    pid_t pid = waitpid(-1, &status, __WALL);
    if (pid < 0 && errno == EINTR) continue;
    if (pid < 0) break;
    if (WIFSTOPPED(status)) {
      go_on(pid, status, &processes);
      if (processes > MOST_PROCESSES || records > MOST_RECORDS) {
        crowded = killed = 1;
        kill(-1, SIGKILL);
      }
    } else if (pid == first) result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  setitimer(ITIMER_REAL, &none, 0);
  off_t length = lseek(trace, 0, SEEK_END);
  if (length > 1 << 20) length = 1 << 20;
  char *text = malloc((size_t)length + 1);
  ssize_t got = pread(trace, text, (size_t)length, 0);
  record('T', 0, 0, text, got < 0 ? 0 : (size_t)got);
  free(text);
  char end[16];
  if (crowded) strcpy(end, "processes");
  else if (expired) strcpy(end, "timeout");
  else snprintf(end, sizeof end, "%d", result);
  record('E', 0, 0, end, strlen(end));
}

/* True when a record about a change is among those of the answer. */
static int was_changed(void) {
  for (size_t at = 0; at + 4 < answer_length;) {
    uint32_t length;
    memcpy(&length, answer + at, 4);
    if (answer[at + 4] == 'W' && strcmp(answer + at + 5, "/dev/null") && strcmp(answer + at + 5, "/dev/tty")) return 1;
    at += 4 + length;
  }
  return 0;
}

static void write_all(const void *bytes, size_t length) {
  for (const char *at = bytes; length;) {
    ssize_t done = write(1, at, length);
    if (done <= 0) exit(5);
    at += done;
    length -= (size_t)done;
  }
}

int main(int count, char **arguments) {
  if (count > 1) shell = arguments[1];
  signal(SIGPIPE, SIG_IGN);
  struct sigaction act = {.sa_handler = on_alarm};
  sigaction(SIGALRM, &act, 0);
  umask(022);
  int trace = memfd_create("trace", 0);
  if (trace < 0 || dup2(trace, TRACE_FD) < 0 || fcntl(TRACE_FD, F_SETFL, O_APPEND)) return 4;
  fresh_root();
  size_t length;
  while (scanf("%zu", &length) == 1 && getchar() == '\n') {
    char *line = malloc(length + 1);
    if (!line || fread(line, 1, length, stdin) != length) return 5;
    line[length] = 0;
    run(line, TRACE_FD);
    free(line);
    uint32_t size = (uint32_t)answer_length;
    write_all(&size, 4);
    write_all(answer, answer_length);
    if (was_changed() || killed) fresh_root();
  }
  return 0;
}
