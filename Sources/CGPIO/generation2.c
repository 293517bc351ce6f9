// Lines through libgpiod 2.x. The kernel numbers the events of a line and drops the oldest if its
// buffer is full, so a gap in the numbers is a loss.
#include "common.h"

#if CGPIO_GENERATION == 2
#include <stdlib.h>

struct cgpio_line {
  struct gpiod_line_request *request;
  // Inputs only.
  struct gpiod_edge_event_buffer *buffer;
  unsigned int offset;
  unsigned long last_number;
};

int cgpio_describe_chip(struct cgpio_chip *chip, struct cgpio_chip_info *info) {
  errno = 0;
  struct gpiod_chip_info *found = gpiod_chip_get_info((struct gpiod_chip *)chip);
  if (!found) return cgpio_failure();
  cgpio_copy(info->name, gpiod_chip_info_get_name(found));
  cgpio_copy(info->label, gpiod_chip_info_get_label(found));
  info->line_count = (unsigned int)gpiod_chip_info_get_num_lines(found);
  gpiod_chip_info_free(found);
  return 0;
}

int cgpio_describe_line(
    struct cgpio_chip *chip, unsigned int offset, struct cgpio_line_info *info) {
  errno = 0;
  struct gpiod_line_info *found = gpiod_chip_get_line_info((struct gpiod_chip *)chip, offset);
  if (!found) return cgpio_failure();
  cgpio_copy(info->name, gpiod_line_info_get_name(found));
  cgpio_copy(info->consumer, gpiod_line_info_get_consumer(found));
  info->is_used = gpiod_line_info_is_used(found);
  info->is_output = gpiod_line_info_get_direction(found) == GPIOD_LINE_DIRECTION_OUTPUT;
  gpiod_line_info_free(found);
  return 0;
}

static enum gpiod_line_bias bias_of(enum cgpio_bias bias) {
  switch (bias) {
    case CGPIO_BIAS_DISABLED: return GPIOD_LINE_BIAS_DISABLED;
    case CGPIO_BIAS_PULL_UP: return GPIOD_LINE_BIAS_PULL_UP;
    case CGPIO_BIAS_PULL_DOWN: return GPIOD_LINE_BIAS_PULL_DOWN;
    case CGPIO_BIAS_AS_IS: break;
  }
  return GPIOD_LINE_BIAS_AS_IS;
}

static enum gpiod_line_drive drive_of(enum cgpio_drive drive) {
  switch (drive) {
    case CGPIO_DRIVE_OPEN_DRAIN: return GPIOD_LINE_DRIVE_OPEN_DRAIN;
    case CGPIO_DRIVE_OPEN_SOURCE: return GPIOD_LINE_DRIVE_OPEN_SOURCE;
    case CGPIO_DRIVE_PUSH_PULL: break;
  }
  return GPIOD_LINE_DRIVE_PUSH_PULL;
}

static int set_up(
    struct gpiod_line_settings *settings, struct cgpio_wiring wiring, bool is_output) {
  gpiod_line_settings_set_active_low(settings, wiring.is_active_low);
  if (gpiod_line_settings_set_bias(settings, bias_of(wiring.bias)) < 0) return -1;
  if (is_output)
    return gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT) < 0 ||
                   gpiod_line_settings_set_drive(settings, drive_of(wiring.drive)) < 0 ||
                   gpiod_line_settings_set_output_value(settings, GPIOD_LINE_VALUE_INACTIVE) < 0
               ? -1
               : 0;
  return gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT) < 0 ||
                 gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH) < 0 ||
                 gpiod_line_settings_set_event_clock(settings, GPIOD_LINE_CLOCK_MONOTONIC) < 0
             ? -1
             : 0;
}

static struct gpiod_line_request *ask(
    struct gpiod_chip *chip, struct cgpio_wiring wiring, const char *consumer, bool is_output) {
  struct gpiod_line_settings *settings = gpiod_line_settings_new();
  struct gpiod_line_config *lines = gpiod_line_config_new();
  struct gpiod_request_config *config = gpiod_request_config_new();
  struct gpiod_line_request *request = NULL;
  if (settings && lines && config && set_up(settings, wiring, is_output) == 0 &&
      gpiod_line_config_add_line_settings(lines, &wiring.offset, 1, settings) == 0) {
    gpiod_request_config_set_consumer(config, consumer);
    gpiod_request_config_set_event_buffer_size(config, CGPIO_EDGES_AT_ONCE);
    request = gpiod_chip_request_lines(chip, config, lines);
  }
  const int reason = errno;
  if (config) gpiod_request_config_free(config);
  if (lines) gpiod_line_config_free(lines);
  if (settings) gpiod_line_settings_free(settings);
  errno = reason;
  return request;
}

static int request(
    const char *path, struct cgpio_wiring wiring, const char *consumer, bool is_output,
    struct cgpio_line **made) {
  *made = NULL;
  errno = 0;
  struct gpiod_chip *chip = gpiod_chip_open(path);
  if (!chip) return cgpio_failure();
  struct cgpio_line *own = calloc(1, sizeof *own);
  if (own) own->request = ask(chip, wiring, consumer, is_output);
  const int result = own && own->request ? 0 : cgpio_failure();
  gpiod_chip_close(chip);
  if (result < 0) {
    free(own);
    return result;
  }
  own->offset = wiring.offset;
  *made = own;
  return 0;
}

int cgpio_request_input(
    const char *path, struct cgpio_wiring wiring, const char *consumer, struct cgpio_line **made) {
  int result = request(path, wiring, consumer, false, made);
  if (result < 0) return result;
  (*made)->buffer = gpiod_edge_event_buffer_new(CGPIO_EDGES_AT_ONCE);
  result = (*made)->buffer ? cgpio_never_wait(cgpio_descriptor(*made)) : -ENOMEM;
  if (result < 0) {
    cgpio_release(*made);
    *made = NULL;
  }
  return result;
}

int cgpio_request_output(
    const char *path, struct cgpio_wiring wiring, const char *consumer, struct cgpio_line **made) {
  return request(path, wiring, consumer, true, made);
}

void cgpio_release(struct cgpio_line *line) {
  if (line->buffer) gpiod_edge_event_buffer_free(line->buffer);
  gpiod_line_request_release(line->request);
  free(line);
}

int cgpio_value(struct cgpio_line *line) {
  errno = 0;
  const int value = gpiod_line_request_get_value(line->request, line->offset);
  return value < 0 ? cgpio_failure() : value;
}

int cgpio_set(struct cgpio_line *line, bool is_active) {
  errno = 0;
  const enum gpiod_line_value value =
      is_active ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
  return gpiod_line_request_set_value(line->request, line->offset, value) < 0 ? cgpio_failure() : 0;
}

int cgpio_descriptor(struct cgpio_line *line) { return gpiod_line_request_get_fd(line->request); }

int cgpio_read_edges(struct cgpio_line *line, struct cgpio_edge *edges, bool *may_have_lost) {
  *may_have_lost = false;
  errno = 0;
  const int count =
      gpiod_line_request_read_edge_events(line->request, line->buffer, CGPIO_EDGES_AT_ONCE);
  if (count < 0) return errno == EAGAIN ? 0 : cgpio_failure();
  for (int index = 0; index < count; index += 1) {
    struct gpiod_edge_event *event =
        gpiod_edge_event_buffer_get_event(line->buffer, (unsigned long)index);
    const unsigned long number = gpiod_edge_event_get_line_seqno(event);
    edges[index].nanoseconds = (int64_t)gpiod_edge_event_get_timestamp_ns(event);
    edges[index].is_active =
        gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
    if (number != line->last_number + 1) *may_have_lost = true;
    line->last_number = number;
  }
  return count;
}
#endif
