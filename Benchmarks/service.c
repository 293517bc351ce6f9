// Starts a service that sends READY=1, as systemd would, and prints its cost while idle:
// `service SECONDS PROGRAM [ARGUMENT...]` prints
//   ready NANOSECONDS        from exec to READY=1
//   switches N               how often its threads woke in SECONDS, after it has settled
//   resident BYTES           its resident memory at the end
// With SECONDS 0 it ends as soon as the service is ready. The program's output goes to standard
// error.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Recovery after a start does not count as idle.
enum { settle_seconds = 10, patience_ms = 120000 };

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000ll + time.tv_nsec;
}

static long field(const char *path, const char *key) {
  FILE *file = fopen(path, "r");
  char line[256];
  long value = 0;
  while (file && fgets(line, sizeof line, file))
    if (strncmp(line, key, strlen(key)) == 0) value = atol(line + strlen(key));
  if (file) fclose(file);
  return value;
}

// The voluntary switches of all threads: each time one waited, something woke it.
static long wake_ups(pid_t child) {
  char folder[64], path[400];
  snprintf(folder, sizeof folder, "/proc/%d/task", child);
  DIR *tasks = opendir(folder);
  long sum = 0;
  for (struct dirent *task; tasks && (task = readdir(tasks));) {
    if (task->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s/status", folder, task->d_name);
    sum += field(path, "voluntary_ctxt_switches:");
  }
  if (tasks) closedir(tasks);
  return sum;
}

static int is_ready(int socket) {
  char text[4096];
  const ssize_t count = recv(socket, text, sizeof text - 1, 0);
  if (count < 0) return 0;
  text[count] = 0;
  return strncmp(text, "READY=1", 7) == 0 || strstr(text, "\nREADY=1") != NULL;
}

int main(int argc, char **argv) {
  if (argc < 3) return 64;
  const int seconds = atoi(argv[1]);
  const int notify = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const int length = snprintf(address.sun_path, 100, "@reel-bench-%d", getpid());
  setenv("NOTIFY_SOCKET", address.sun_path, 1);
  address.sun_path[0] = 0;
  const socklen_t size = offsetof(struct sockaddr_un, sun_path) + length;
  if (notify < 0 || bind(notify, (struct sockaddr *)&address, size) != 0) return 71;
  const long long start = now();
  const pid_t child = fork();
  if (child == 0) {
    dup2(2, 1);
    execvp(argv[2], argv + 2);
    _exit(127);
  }
  struct pollfd ready = {notify, POLLIN, 0};
  int status = 0;
  do {
    if (poll(&ready, 1, patience_ms) != 1 || waitpid(child, &status, WNOHANG) != 0) {
      fprintf(stderr, "service: %s never was ready\n", argv[2]);
      kill(child, SIGKILL);
      return 70;
    }
  } while (!is_ready(notify));
  printf("ready %lld\n", now() - start);
  if (seconds > 0) {
    sleep(settle_seconds);
    const long before = wake_ups(child);
    sleep(seconds);
    printf("switches %ld\n", wake_ups(child) - before);
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/status", child);
    printf("resident %ld\n", field(path, "VmRSS:") * 1024);
  }
  kill(child, SIGTERM);
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : 70;
}
