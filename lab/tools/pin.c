// Hands and eyes for the pin simulator: presses buttons like real contacts, with chatter and
// spikes, and reads lights. Runs on the board, started by scenarios; a shell would be too slow for
// milliseconds. A button is between its line and ground: low is pressed.
//   lab-pin CHIP down|up LINE                     CHIP: the folder with sim_gpio0 and so on
//   lab-pin CHIP press LINE MILLISECONDS CHATTER  down and up, with CHATTER ms of chatter each time
//     prints the number of edges, the possible number of presses, the duration in milliseconds,
//     and the monotonic time of the first edge in nanoseconds
//   lab-pin CHIP spikes LINE COUNT MICROSECONDS   low for that time, again and again
//     prints the longest, and how many took longer than 1.5 ms: a busy machine is not on time
//   lab-pin CHIP hammer LINE COUNT MILLISECONDS   COUNT presses, one every MILLISECONDS
//   lab-pin CHIP watch MILLISECONDS LINE...       each change of these lines, with its time
//   lab-pin CHIP time COUNT PAUSE BUTTON LIGHT [BUTTON LIGHT]
//     presses and waits until the light changes: microseconds for each, pair by pair in turn
//   lab-pin DEVICE simple BUTTON LIGHT GLITCH     the least program that sets a light from a
//     button: the time that the kernel and the emulator take by themselves
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { LINES = 64 };
static const char *chip;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void rest(int64_t microseconds) {
  struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
  clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

static int opened(int line, const char *name, int flags) {
  char path[256];
  snprintf(path, sizeof path, "%s/sim_gpio%d/%s", chip, line, name);
  int file = open(path, flags | O_CLOEXEC);
  if (file < 0) fail(path);
  return file;
}

static void pull(int line, int isDown) {
  static int files[LINES];
  if (!files[line]) files[line] = opened(line, "pull", O_WRONLY);
  const char *word = isDown ? "pull-down" : "pull-up";
  if (pwrite(files[line], word, strlen(word), 0) < 0) fail("pull");
}

static int value(int line) {
  static int files[LINES];
  if (!files[line]) files[line] = opened(line, "value", O_RDONLY);
  char digit = 0;
  if (pread(files[line], &digit, 1, 0) != 1) fail("value");
  return digit == '1';
}

// Runs before everything else on the board, to be on time.
static void hurry(void) {
  struct sched_param high = {.sched_priority = 90};
  mlockall(MCL_CURRENT | MCL_FUTURE);
  sched_setscheduler(0, SCHED_FIFO, &high);
}

static int edges, presses, isTaken;
static int64_t firstEdge, lastEdge;

// Down for 2 ms is a press, and up for 30 ms ends it. The possible number of presses is counted
// here, since a busy machine may turn one press into two. The edge happens between the two readings
// of the clock, so no pause was longer than assumed.
static void edge(int line, int isDown) {
  int64_t at = now();
  pull(line, isDown);
  int64_t pause = lastEdge ? now() - lastEdge : 0;
  if (isDown && pause > 28000000) isTaken = 0;
  if (!isDown && pause > 1500000 && !isTaken) {
    isTaken = 1;
    presses++;
  }
  if (!firstEdge) firstEdge = at;
  lastEdge = at;
  edges++;
}

// Chatters for a while, and ends in the wanted state.
static void chatter(int line, int isDown, int64_t milliseconds) {
  int64_t until = now() + milliseconds * 1000000;
  while (now() < until) {
    edge(line, isDown);
    rest(100 + rand() % 900);
    edge(line, !isDown);
    rest(50 + rand() % 500);
  }
  edge(line, isDown);
}

static void press(int line, int64_t milliseconds, int64_t chatterMilliseconds) {
  chatter(line, 1, chatterMilliseconds);
  rest(milliseconds * 1000);
  chatter(line, 0, chatterMilliseconds);
  int64_t lasted = now() - firstEdge;
  printf("%d %d %lld %lld\n", edges, presses, (long long)lasted / 1000000, (long long)firstEdge);
}

static void spikes(int line, int count, int64_t microseconds) {
  int late = 0;
  int64_t longest = 0;
  for (int at = 0; at < count; at++) {
    int64_t began = now();
    pull(line, 1);
    while (now() - began < microseconds * 1000) sched_yield();
    pull(line, 0);
    int64_t lasted = now() - began;
    if (lasted > longest) longest = lasted;
    if (lasted > 1500000) late++;
    rest(60000 + rand() % 30000);
  }
  printf("%lld %d\n", (long long)longest / 1000, late);
}

// At least down for half of the time and up for the other half: on a busy machine it takes longer,
// and no press is too short to count.
static void hammer(int line, int count, int64_t milliseconds) {
  for (int at = 0; at < count; at++) {
    pull(line, 1);
    rest(milliseconds * 500);
    pull(line, 0);
    rest(milliseconds * 500);
  }
}

static void watch(int64_t milliseconds, char **names, int count) {
  int lines[LINES], last[LINES];
  for (int at = 0; at < count; at++) {
    lines[at] = atoi(names[at]);
    last[at] = -1;
  }
  int64_t began = now();
  while (now() - began < milliseconds * 1000000) {
    for (int at = 0; at < count; at++) {
      int is = value(lines[at]);
      if (is == last[at]) continue;
      last[at] = is;
      printf("%lld %d %d\n", (long long)(now() - began) / 1000000, lines[at], is);
    }
    rest(2000);
  }
}

// Returns the time from just before the edge until the light has changed; -1: not within five
// seconds.
static long long answerTime(int button, int light) {
  int before = value(light);
  int64_t began = now();
  pull(button, 1);
  int64_t seen = now();
  while (value(light) == before && seen - began < 5000000000LL) {
    rest(20);
    seen = now();
  }
  rest(60000);
  pull(button, 0);
  return value(light) == before ? -1 : (long long)(seen - began) / 1000;
}

static void timeAnswers(int count, int pauseMilliseconds, char **names, int pairs) {
  for (int at = 0; at < count; at++) {
    for (int pair = 0; pair < pairs; pair++) {
      long long took = answerTime(atoi(names[pair * 2]), atoi(names[pair * 2 + 1]));
      printf("%lld%c", took, pair + 1 < pairs ? ' ' : '\n');
      fflush(stdout);
      rest(pauseMilliseconds * 1000);
    }
  }
}

static int request(int device, int line, uint64_t flags) {
  struct gpio_v2_line_request wish = {.num_lines = 1, .offsets = {(uint32_t)line}};
  strcpy(wish.consumer, "lab");
  wish.config.flags = flags;
  if (ioctl(device, GPIO_V2_GET_LINE_IOCTL, &wish) < 0) fail("line");
  return wish.fd;
}

static int isHigh(int line) {
  struct gpio_v2_line_values values = {.mask = 1};
  if (ioctl(line, GPIO_V2_LINE_GET_VALUES_IOCTL, &values) < 0) fail("get");
  return values.bits & 1;
}

static void simple(const char *path, int button, int light, int64_t glitchMicroseconds) {
  mlockall(MCL_CURRENT | MCL_FUTURE);
  int device = open(path, O_RDWR | O_CLOEXEC);
  if (device < 0) fail(path);
  int in = request(
      device, button,
      GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_BIAS_PULL_UP | GPIO_V2_LINE_FLAG_EDGE_FALLING);
  int out = request(device, light, GPIO_V2_LINE_FLAG_OUTPUT);
  struct gpio_v2_line_values values = {.mask = 1};
  while (1) {
    struct gpio_v2_line_event event;
    if (read(in, &event, sizeof event) != sizeof event) fail("read");
    if (glitchMicroseconds) rest(glitchMicroseconds);
    if (isHigh(in)) continue;
    values.bits ^= 1;
    if (ioctl(out, GPIO_V2_LINE_SET_VALUES_IOCTL, &values) < 0) fail("set");
  }
}

int main(int count, char **words) {
  if (count < 4) return 64;
  chip = words[1];
  const char *what = words[2];
  srand(1);
  if (strcmp(what, "time") && strcmp(what, "simple")) hurry();
  if (!strcmp(what, "down")) pull(atoi(words[3]), 1);
  else if (!strcmp(what, "up")) pull(atoi(words[3]), 0);
  else if (!strcmp(what, "press") && count == 6)
    press(atoi(words[3]), atoi(words[4]), atoi(words[5]));
  else if (!strcmp(what, "spikes") && count == 6)
    spikes(atoi(words[3]), atoi(words[4]), atoi(words[5]));
  else if (!strcmp(what, "hammer") && count == 6)
    hammer(atoi(words[3]), atoi(words[4]), atoi(words[5]));
  else if (!strcmp(what, "watch")) watch(atoi(words[3]), words + 4, count - 4);
  else if (!strcmp(what, "time") && count >= 7)
    timeAnswers(atoi(words[3]), atoi(words[4]), words + 5, (count - 5) / 2);
  else if (!strcmp(what, "simple") && count == 6)
    simple(words[1], atoi(words[3]), atoi(words[4]), atoi(words[5]));
  else return 64;
  return 0;
}
