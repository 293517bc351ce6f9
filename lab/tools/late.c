// Logs when the board itself stalled: an emulator without a processor cannot be on time, and then
// nothing can be said about the programs in it. One thread on each processor, with the highest
// priority, wakes up every two milliseconds. Runs on the board, from its start on.
//   lab-late FILE   a line for each time that was 8 ms late or more: when, and how many ms
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void watch(int processor, int file) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  sched_setaffinity(0, sizeof one, &one);
  struct sched_param first = {.sched_priority = 95};
  sched_setscheduler(0, SCHED_FIFO, &first);
  mlockall(MCL_CURRENT | MCL_FUTURE);
  while (1) {
    int64_t began = now();
    struct timespec nap = {0, 2000000};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL);
    int64_t ended = now();
    int64_t late = (ended - began) / 1000000 - 2;
    if (late < 8) continue;
    char line[64];
    int length = snprintf(line, sizeof line, "%.3f %lld\n", (double)ended / 1e9, (long long)late);
    if (write(file, line, (size_t)length) < 0) _exit(1);
  }
}

int main(int count, char **words) {
  if (count != 2) return 64;
  int file = open(words[1], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) return 1;
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  for (int processor = 1; processor < processors; processor++)
    if (fork() == 0) watch(processor, file);
  watch(0, file);
}
