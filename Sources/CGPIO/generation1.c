// Lines through libgpiod 1.6. A line belongs to its chip, so each has its own chip handle. The
// kernel's older interface does not number events: it keeps sixteen per line and drops later ones.
#include "common.h"

#if CGPIO_GENERATION == 1
#include <stdlib.h>

struct cgpio_line {
  struct gpiod_chip *chip;
  struct gpiod_line *line;
};

int cgpio_describe_chip(struct cgpio_chip *opaque, struct cgpio_chip_info *info) {
  struct gpiod_chip *chip = (struct gpiod_chip *)opaque;
  cgpio_copy(info->name, gpiod_chip_name(chip));
  cgpio_copy(info->label, gpiod_chip_label(chip));
  info->line_count = gpiod_chip_num_lines(chip);
  return 0;
}

int cgpio_describe_line(
    struct cgpio_chip *chip, unsigned int offset, struct cgpio_line_info *info) {
  errno = 0;
  struct gpiod_line *line = gpiod_chip_get_line((struct gpiod_chip *)chip, offset);
  if (!line) return cgpio_failure();
  cgpio_copy(info->name, gpiod_line_name(line));
  cgpio_copy(info->consumer, gpiod_line_consumer(line));
  info->is_used = gpiod_line_is_used(line);
  info->is_output = gpiod_line_direction(line) == GPIOD_LINE_DIRECTION_OUTPUT;
  return 0;
}

static int flags_of(struct cgpio_wiring wiring) {
  int flags = wiring.is_active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0;
  switch (wiring.bias) {
    case CGPIO_BIAS_AS_IS: break;
    case CGPIO_BIAS_DISABLED: flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE; break;
    case CGPIO_BIAS_PULL_UP: flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP; break;
    case CGPIO_BIAS_PULL_DOWN: flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN; break;
  }
  switch (wiring.drive) {
    case CGPIO_DRIVE_PUSH_PULL: break;
    case CGPIO_DRIVE_OPEN_DRAIN: flags |= GPIOD_LINE_REQUEST_FLAG_OPEN_DRAIN; break;
    case CGPIO_DRIVE_OPEN_SOURCE: flags |= GPIOD_LINE_REQUEST_FLAG_OPEN_SOURCE; break;
  }
  return flags;
}

static int request(
    const char *path, struct cgpio_wiring wiring, const char *consumer, int type,
    struct cgpio_line **made) {
  *made = NULL;
  errno = 0;
  struct gpiod_chip *chip = gpiod_chip_open(path);
  if (!chip) return cgpio_failure();
  struct gpiod_line *line = gpiod_chip_get_line(chip, wiring.offset);
  const struct gpiod_line_request_config config = {
      .consumer = consumer, .request_type = type, .flags = flags_of(wiring)};
  struct cgpio_line *own = line ? malloc(sizeof *own) : NULL;
  if (!own || gpiod_line_request(line, &config, 0) < 0) {
    const int result = cgpio_failure();
    free(own);
    gpiod_chip_close(chip);
    return result;
  }
  *own = (struct cgpio_line){.chip = chip, .line = line};
  *made = own;
  return 0;
}

int cgpio_request_input(
    const char *path, struct cgpio_wiring wiring, const char *consumer, struct cgpio_line **made) {
  wiring.drive = CGPIO_DRIVE_PUSH_PULL;
  int result = request(path, wiring, consumer, GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES, made);
  if (result == 0) result = cgpio_never_wait(cgpio_descriptor(*made));
  if (result < 0 && *made) {
    cgpio_release(*made);
    *made = NULL;
  }
  return result;
}

int cgpio_request_output(
    const char *path, struct cgpio_wiring wiring, const char *consumer, struct cgpio_line **made) {
  return request(path, wiring, consumer, GPIOD_LINE_REQUEST_DIRECTION_OUTPUT, made);
}

void cgpio_release(struct cgpio_line *line) {
  gpiod_line_release(line->line);
  gpiod_chip_close(line->chip);
  free(line);
}

int cgpio_value(struct cgpio_line *line) {
  errno = 0;
  const int value = gpiod_line_get_value(line->line);
  return value < 0 ? cgpio_failure() : value;
}

int cgpio_set(struct cgpio_line *line, bool is_active) {
  errno = 0;
  return gpiod_line_set_value(line->line, is_active) < 0 ? cgpio_failure() : 0;
}

int cgpio_descriptor(struct cgpio_line *line) { return gpiod_line_event_get_fd(line->line); }

int cgpio_read_edges(struct cgpio_line *line, struct cgpio_edge *edges, bool *may_have_lost) {
  struct gpiod_line_event events[CGPIO_EDGES_AT_ONCE];
  *may_have_lost = false;
  errno = 0;
  const int count = gpiod_line_event_read_multiple(line->line, events, CGPIO_EDGES_AT_ONCE);
  if (count < 0) return errno == EAGAIN ? 0 : cgpio_failure();
  for (int index = 0; index < count; index += 1) {
    edges[index].nanoseconds =
        (int64_t)events[index].ts.tv_sec * 1000000000 + events[index].ts.tv_nsec;
    edges[index].is_active = events[index].event_type == GPIOD_LINE_EVENT_RISING_EDGE;
  }
  *may_have_lost = count == CGPIO_EDGES_AT_ONCE;
  return count;
}
#endif
