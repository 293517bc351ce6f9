// Sets the board's clock as an NTP client does: the time, and that it is synchronised. Runs on the
// board, started by scenarios.
//   lab-clock SECONDS   since 1970
#include <stdio.h>
#include <stdlib.h>
#include <sys/timex.h>
#include <time.h>

int main(int count, char **words) {
  if (count != 2) return 64;
  struct timespec time = {atoll(words[1]), 0};
  struct timex kernel = {.modes = ADJ_STATUS | ADJ_MAXERROR | ADJ_ESTERROR, .status = STA_PLL};
  if (clock_settime(CLOCK_REALTIME, &time) < 0 || adjtimex(&kernel) < 0) {
    perror("clock");
    return 1;
  }
  return 0;
}
