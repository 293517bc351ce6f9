// The fake chips' data, for the two faces of the fake: one for each generation of libgpiod. Private
// to this target; used by one thread.
#pragma once

#include "CGpioFake.h"

#include <errno.h>
#include <gpiod.h>
#include <stdlib.h>
#include <string.h>

#ifdef GPIOD_LINE_BULK_MAX_LINES
#define FAKE_GENERATION 1
#else
#define FAKE_GENERATION 2
#endif

enum { MOST_CHIPS = 4, MOST_LINES = 64, MOST_EVENTS = 16 };

struct fake_event {
  int64_t nanoseconds;
  bool is_rising;
  unsigned long number;
};

struct fake_line {
  char name[32];
  char consumer[32];
  bool is_taken;
  bool is_taken_output;
  bool is_high;
  int request_error;
  int read_error;
  struct gpio_fake_request request;
  // An eventfd that is readable while there are events.
  int descriptor;
  struct fake_event events[MOST_EVENTS];
  int event_count;
  unsigned long last_number;
};

struct fake_chip {
  char path[256];
  char label[32];
  unsigned int line_count;
  int open_error;
  struct fake_line lines[MOST_LINES];
};

extern int fake_open_count;

// The chip of that path; NULL if the test has none there.
struct fake_chip *fake_find(const char *path);
// Returns -1 with errno if it is refused.
int fake_request(struct fake_line *line, struct gpio_fake_request request);
void fake_release(struct fake_line *line);
int fake_level(const struct fake_line *line);
void fake_set(struct fake_line *line, bool is_active);
// Reads at most `most` events, the oldest first; returns -1 with errno on failure.
int fake_read(struct fake_line *line, struct fake_event *events, int most);
// The library's own function.
struct gpiod_chip *fake_open_real(const char *path);
