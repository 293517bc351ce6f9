// Preloaded by scripts/test-copies: adds to a program's wall clock the seconds that a file holds,
// so that the clock jumps while the program runs. The monotonic clock stays as it is, as on a
// board.
//   cc -shared -fPIC -o jump.so jump.c;  REEL_JUMP=FILE LD_PRELOAD=jump.so PROGRAM
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *jump;

__attribute__((constructor)) static void begin(void) {
  const char *name = getenv("REEL_JUMP");
  int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *map = mmap(0, sizeof *jump, PROT_READ, MAP_SHARED, file, 0);
  if (map != MAP_FAILED) jump = map;
  close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int failed = (int)syscall(SYS_clock_gettime, clock, now);
  if (!failed && jump && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    now->tv_sec += *jump;
  return failed;
}

time_t time(time_t *seconds) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
  if (seconds) *seconds = now.tv_sec;
  return now.tv_sec;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  struct timespec precise;
  if (clock_gettime(CLOCK_REALTIME, &precise)) return -1;
  *now = (struct timeval){precise.tv_sec, precise.tv_nsec / 1000};
  return 0;
}
