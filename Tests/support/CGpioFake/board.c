// The fake chips themselves, independent of the library's generation: their data, the test's
// actions on them, and the behaviour of requested lines.
#define _GNU_SOURCE
#include "board.h"

#include <dlfcn.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

static struct fake_chip chips[MOST_CHIPS];
static int chip_count;
int fake_open_count;

void gpio_fake_reset(void) {
  memset(chips, 0, sizeof chips);
  chip_count = 0;
  fake_open_count = 0;
}

int gpio_fake_open_count(void) { return fake_open_count; }

int gpio_fake_add(const char *path, const char *label, unsigned int line_count) {
  if (chip_count == MOST_CHIPS || line_count > MOST_LINES) abort();
  struct fake_chip *chip = &chips[chip_count];
  snprintf(chip->path, sizeof chip->path, "%s", path);
  snprintf(chip->label, sizeof chip->label, "%s", label);
  chip->line_count = line_count;
  return chip_count++;
}

static struct fake_line *line_of(int chip, unsigned int offset) {
  if (chip >= chip_count || offset >= chips[chip].line_count) abort();
  return &chips[chip].lines[offset];
}

void gpio_fake_name(int chip, unsigned int offset, const char *name) {
  struct fake_line *line = line_of(chip, offset);
  snprintf(line->name, sizeof line->name, "%s", name);
}

void gpio_fake_take(int chip, unsigned int offset, const char *consumer, bool is_output) {
  struct fake_line *line = line_of(chip, offset);
  snprintf(line->consumer, sizeof line->consumer, "%s", consumer);
  line->is_taken = true;
  line->is_taken_output = is_output;
}

void gpio_fake_fail_open(int chip, int error) { chips[chip].open_error = error; }

void gpio_fake_fail_request(int chip, unsigned int offset, int error) {
  line_of(chip, offset)->request_error = error;
}

void gpio_fake_fail_read(int chip, unsigned int offset, int error) {
  struct fake_line *line = line_of(chip, offset);
  line->read_error = error;
  if (line->request.has_both_edges) eventfd_write(line->descriptor, 1);
}

struct gpio_fake_request gpio_fake_seen(int chip, unsigned int offset) {
  return line_of(chip, offset)->request;
}

bool gpio_fake_is_high(int chip, unsigned int offset) { return line_of(chip, offset)->is_high; }

void gpio_fake_drive(int chip, unsigned int offset, bool is_high, int64_t nanoseconds) {
  const bool has_changed = gpio_fake_is_high(chip, offset) != is_high;
  gpio_fake_turn(chip, offset, is_high);
  if (has_changed) gpio_fake_report(chip, offset, nanoseconds);
}

void gpio_fake_turn(int chip, unsigned int offset, bool is_high) {
  line_of(chip, offset)->is_high = is_high;
}

void gpio_fake_report(int chip, unsigned int offset, int64_t nanoseconds) {
  struct fake_line *line = line_of(chip, offset);
  if (!line->request.has_both_edges) return;
  line->last_number += 1;
  if (line->event_count == MOST_EVENTS) {
    // If its buffer is full, the kernel's older interface drops new events, the newer one the
    // oldest.
    if (FAKE_GENERATION == 1) return;
    memmove(line->events, line->events + 1, sizeof line->events[0] * (MOST_EVENTS - 1));
    line->event_count -= 1;
  }
  line->events[line->event_count++] = (struct fake_event){
      nanoseconds, line->is_high != line->request.is_active_low, line->last_number};
  eventfd_write(line->descriptor, 1);
}

struct fake_chip *fake_find(const char *path) {
  for (int index = 0; index < chip_count; index += 1)
    if (strcmp(chips[index].path, path) == 0) return &chips[index];
  return NULL;
}

int fake_request(struct fake_line *line, struct gpio_fake_request request) {
  errno = line->request_error;
  if (line->is_taken || line->request.is_requested) errno = EBUSY;
  if (errno) return -1;
  line->request = request;
  line->request.is_requested = true;
  line->event_count = 0;
  line->last_number = 0;
  line->descriptor = eventfd(0, EFD_CLOEXEC);
  if (request.is_output) fake_set(line, false);
  snprintf(line->consumer, sizeof line->consumer, "%.31s", request.consumer);
  fake_open_count += 1;
  return 0;
}

void fake_release(struct fake_line *line) {
  close(line->descriptor);
  line->request = (struct gpio_fake_request){.is_requested = false};
  line->consumer[0] = 0;
  fake_open_count -= 1;
}

int fake_level(const struct fake_line *line) {
  return line->is_high != line->request.is_active_low;
}

void fake_set(struct fake_line *line, bool is_active) {
  line->is_high = is_active != line->request.is_active_low;
}

int fake_read(struct fake_line *line, struct fake_event *events, int most) {
  eventfd_t waiting;
  if (line->read_error) {
    errno = line->read_error;
    return -1;
  }
  if (line->event_count == 0) {
    // As in the kernel this blocks, unless the descriptor is non-blocking.
    return eventfd_read(line->descriptor, &waiting) < 0 ? -1 : 0;
  }
  const int count = line->event_count < most ? line->event_count : most;
  memcpy(events, line->events, sizeof *events * (size_t)count);
  line->event_count -= count;
  memmove(line->events, line->events + count, sizeof *events * (size_t)line->event_count);
  if (line->event_count == 0) eventfd_read(line->descriptor, &waiting);
  return count;
}

struct gpiod_chip *fake_open_real(const char *path) {
  struct gpiod_chip *(*real)(const char *) =
      (struct gpiod_chip * (*)(const char *)) dlsym(RTLD_NEXT, "gpiod_chip_open");
  if (real) return real(path);
  errno = ENOSYS;
  return NULL;
}
