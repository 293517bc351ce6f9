// The fake as libgpiod 1.6 shows it: a line is the chip's, and is found again by its offset.
#include "board.h"

#if FAKE_GENERATION == 1

struct gpiod_line {
  struct fake_line *line;
  bool is_requested;
};

struct gpiod_chip {
  struct fake_chip *chip;
  struct gpiod_line lines[MOST_LINES];
};

struct gpiod_chip *gpiod_chip_open(const char *path) {
  struct fake_chip *found = fake_find(path);
  if (!found) return fake_open_real(path);
  errno = found->open_error;
  if (errno) return NULL;
  struct gpiod_chip *chip = calloc(1, sizeof *chip);
  chip->chip = found;
  for (unsigned int offset = 0; offset < found->line_count; offset += 1)
    chip->lines[offset].line = &found->lines[offset];
  fake_open_count += 1;
  return chip;
}

void gpiod_chip_close(struct gpiod_chip *chip) {
  free(chip);
  fake_open_count -= 1;
}

const char *gpiod_chip_name(struct gpiod_chip *chip) { return strrchr(chip->chip->path, '/') + 1; }
const char *gpiod_chip_label(struct gpiod_chip *chip) { return chip->chip->label; }
unsigned int gpiod_chip_num_lines(struct gpiod_chip *chip) { return chip->chip->line_count; }

struct gpiod_line *gpiod_chip_get_line(struct gpiod_chip *chip, unsigned int offset) {
  if (offset < chip->chip->line_count) return &chip->lines[offset];
  errno = EINVAL;
  return NULL;
}

static const char *or_none(const char *text) { return text[0] ? text : NULL; }

const char *gpiod_line_name(struct gpiod_line *line) { return or_none(line->line->name); }
const char *gpiod_line_consumer(struct gpiod_line *line) { return or_none(line->line->consumer); }

bool gpiod_line_is_used(struct gpiod_line *line) {
  return line->line->is_taken || line->line->request.is_requested;
}

int gpiod_line_direction(struct gpiod_line *line) {
  const bool is_output = line->line->is_taken_output || line->line->request.is_output;
  return is_output ? GPIOD_LINE_DIRECTION_OUTPUT : GPIOD_LINE_DIRECTION_INPUT;
}

static bool has(int flags, int flag) { return (flags & flag) != 0; }

int gpiod_line_request(
    struct gpiod_line *line, const struct gpiod_line_request_config *config, int value) {
  const int flags = config->flags;
  struct gpio_fake_request request = {
      .is_output = config->request_type == GPIOD_LINE_REQUEST_DIRECTION_OUTPUT,
      .has_both_edges = config->request_type == GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES,
      .is_active_low = has(flags, GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW),
      // The older interface has no other clock.
      .has_monotonic_clock = true,
      .bias = has(flags, GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE)     ? GPIO_FAKE_BIAS_DISABLED
              : has(flags, GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP)   ? GPIO_FAKE_BIAS_PULL_UP
              : has(flags, GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN) ? GPIO_FAKE_BIAS_PULL_DOWN
                                                                   : GPIO_FAKE_BIAS_AS_IS,
      .drive = has(flags, GPIOD_LINE_REQUEST_FLAG_OPEN_DRAIN)    ? GPIO_FAKE_DRIVE_OPEN_DRAIN
               : has(flags, GPIOD_LINE_REQUEST_FLAG_OPEN_SOURCE) ? GPIO_FAKE_DRIVE_OPEN_SOURCE
                                                                 : GPIO_FAKE_DRIVE_PUSH_PULL,
  };
  strncpy(request.consumer, config->consumer, sizeof request.consumer - 1);
  if (fake_request(line->line, request) < 0) return -1;
  if (request.is_output) fake_set(line->line, value);
  line->is_requested = true;
  return 0;
}

void gpiod_line_release(struct gpiod_line *line) {
  if (line->is_requested) fake_release(line->line);
  line->is_requested = false;
}

int gpiod_line_get_value(struct gpiod_line *line) { return fake_level(line->line); }

int gpiod_line_set_value(struct gpiod_line *line, int value) {
  if (line->line->read_error) {
    errno = line->line->read_error;
    return -1;
  }
  fake_set(line->line, value);
  return 0;
}

int gpiod_line_event_get_fd(struct gpiod_line *line) { return line->line->descriptor; }

int gpiod_line_event_read_multiple(
    struct gpiod_line *line, struct gpiod_line_event *events, unsigned int most) {
  struct fake_event found[MOST_EVENTS];
  const int limit = most < MOST_EVENTS ? (int)most : MOST_EVENTS;
  const int count = fake_read(line->line, found, limit);
  for (int index = 0; index < count; index += 1) {
    events[index].ts.tv_sec = found[index].nanoseconds / 1000000000;
    events[index].ts.tv_nsec = found[index].nanoseconds % 1000000000;
    events[index].event_type =
        found[index].is_rising ? GPIOD_LINE_EVENT_RISING_EDGE : GPIOD_LINE_EVENT_FALLING_EDGE;
  }
  return count;
}
#endif
