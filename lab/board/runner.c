// The lab's runner on the board: reads commands from a virtual serial port, runs each with a shell
// as root, and answers with its exit status and output. One at a time; what a command leaves in the
// background goes on. Its output goes through a file, so that nothing in the background can hold
// the answer up.
//   asked:    "RUN seconds command-bytes input-bytes\n", then the command, then its input
//   answered: "DID status output-bytes\n", then the output; status 124: it took too long
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int port;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

// The port reads as ended while nobody is connected to its other end.
static void takeBytes(char *bytes, size_t count) {
  while (count > 0) {
    ssize_t got = read(port, bytes, count);
    if (got < 0 && errno != EINTR && errno != EAGAIN) fail("read");
    if (got <= 0) {
      usleep(20000);
      continue;
    }
    bytes += got;
    count -= (size_t)got;
  }
}

static void giveBytes(int to, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t put = write(to, bytes, count);
    if (put < 0 && errno != EINTR && errno != EAGAIN) fail("write");
    if (put <= 0) {
      usleep(20000);
      continue;
    }
    bytes += put;
    count -= (size_t)put;
  }
}

static char *takeText(size_t count) {
  char *text = malloc(count + 1);
  if (!text) fail("malloc");
  takeBytes(text, count);
  text[count] = 0;
  return text;
}

static int memoryFile(const char *name, const char *bytes, size_t count) {
  int file = memfd_create(name, MFD_CLOEXEC);
  if (file < 0) fail("memfd_create");
  giveBytes(file, bytes, count);
  lseek(file, 0, SEEK_SET);
  return file;
}

static pid_t start(const char *command, int input, int output) {
  pid_t child = fork();
  if (child < 0) fail("fork");
  if (child > 0) return child;
  setsid();
  dup2(input, 0);
  dup2(output, 1);
  dup2(output, 2);
  execl("/bin/bash", "bash", "-c", command, (char *)0);
  _exit(127);
}

static int waitFor(pid_t child, long seconds) {
  struct timespec pause = {0, 5000000};
  for (long ticks = seconds * 200; ticks > 0; ticks--) {
    int status;
    if (waitpid(child, &status, WNOHANG) == child)
      return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    nanosleep(&pause, NULL);
  }
  kill(-child, SIGKILL);
  waitpid(child, NULL, 0);
  return 124;
}

static void answer(int status, int output) {
  struct stat facts;
  if (fstat(output, &facts) < 0) fail("fstat");
  char head[64];
  int length = snprintf(head, sizeof head, "DID %d %lld\n", status, (long long)facts.st_size);
  giveBytes(port, head, (size_t)length);
  static char bytes[65536];
  off_t at = 0;
  while (at < facts.st_size) {
    size_t want = sizeof bytes;
    if (facts.st_size - at < (off_t)want) want = (size_t)(facts.st_size - at);
    ssize_t got = pread(output, bytes, want, at);
    if (got <= 0) fail("pread");
    giveBytes(port, bytes, (size_t)got);
    at += got;
  }
}

static void serve(void) {
  char head[128] = "";
  size_t length = 0;
  while (length == 0 || head[length - 1] != '\n') {
    if (length == sizeof head - 1) length = 0;
    takeBytes(&head[length++], 1);
  }
  head[length] = 0;
  long seconds;
  size_t commandBytes, inputBytes;
  if (sscanf(head, "RUN %ld %zu %zu", &seconds, &commandBytes, &inputBytes) != 3) return;
  char *command = takeText(commandBytes);
  char *input = takeText(inputBytes);
  int from = memoryFile("input", input, inputBytes);
  int to = memoryFile("output", "", 0);
  int status = waitFor(start(command, from, to), seconds);
  answer(status, to);
  close(from);
  close(to);
  free(command);
  free(input);
}

int main(int count, char **words) {
  if (count != 2) return 64;
  port = open(words[1], O_RDWR | O_CLOEXEC);
  if (port < 0) fail(words[1]);
  giveBytes(port, "READY\n", 6);
  while (1) serve();
}
