// The fake as libgpiod 2.x shows it: descriptions, settings, and requests that outlive their chip.
#include "board.h"

#if FAKE_GENERATION == 2

struct gpiod_chip {
  struct fake_chip *chip;
};
struct gpiod_chip_info {
  struct fake_chip *chip;
};
struct gpiod_line_info {
  struct fake_line *line;
};
struct gpiod_line_settings {
  struct gpio_fake_request request;
};
struct gpiod_line_config {
  unsigned int offset;
  struct gpio_fake_request request;
};
struct gpiod_request_config {
  char consumer[64];
};
struct gpiod_line_request {
  unsigned int offset;
  struct fake_line *line;
};
struct gpiod_edge_event {
  struct fake_event event;
};
struct gpiod_edge_event_buffer {
  size_t capacity;
  struct gpiod_edge_event events[MOST_EVENTS];
};

struct gpiod_chip *gpiod_chip_open(const char *path) {
  struct fake_chip *found = fake_find(path);
  if (!found) return fake_open_real(path);
  errno = found->open_error;
  if (errno) return NULL;
  struct gpiod_chip *chip = calloc(1, sizeof *chip);
  chip->chip = found;
  fake_open_count += 1;
  return chip;
}

void gpiod_chip_close(struct gpiod_chip *chip) {
  free(chip);
  fake_open_count -= 1;
}

struct gpiod_chip_info *gpiod_chip_get_info(struct gpiod_chip *chip) {
  struct gpiod_chip_info *info = calloc(1, sizeof *info);
  info->chip = chip->chip;
  return info;
}
void gpiod_chip_info_free(struct gpiod_chip_info *info) { free(info); }
const char *gpiod_chip_info_get_name(struct gpiod_chip_info *info) {
  return strrchr(info->chip->path, '/') + 1;
}
const char *gpiod_chip_info_get_label(struct gpiod_chip_info *info) { return info->chip->label; }
size_t gpiod_chip_info_get_num_lines(struct gpiod_chip_info *info) {
  return info->chip->line_count;
}

struct gpiod_line_info *gpiod_chip_get_line_info(struct gpiod_chip *chip, unsigned int offset) {
  errno = EINVAL;
  if (offset >= chip->chip->line_count) return NULL;
  struct gpiod_line_info *info = calloc(1, sizeof *info);
  info->line = &chip->chip->lines[offset];
  return info;
}
void gpiod_line_info_free(struct gpiod_line_info *info) { free(info); }

static const char *or_none(const char *text) { return text[0] ? text : NULL; }

const char *gpiod_line_info_get_name(struct gpiod_line_info *info) {
  return or_none(info->line->name);
}
const char *gpiod_line_info_get_consumer(struct gpiod_line_info *info) {
  return or_none(info->line->consumer);
}
bool gpiod_line_info_is_used(struct gpiod_line_info *info) {
  return info->line->is_taken || info->line->request.is_requested;
}
enum gpiod_line_direction gpiod_line_info_get_direction(struct gpiod_line_info *info) {
  const bool is_output = info->line->is_taken_output || info->line->request.is_output;
  return is_output ? GPIOD_LINE_DIRECTION_OUTPUT : GPIOD_LINE_DIRECTION_INPUT;
}

struct gpiod_line_settings *gpiod_line_settings_new(void) {
  struct gpiod_line_settings *settings = calloc(1, sizeof *settings);
  settings->request.has_monotonic_clock = true;
  return settings;
}
void gpiod_line_settings_free(struct gpiod_line_settings *settings) { free(settings); }
void gpiod_line_settings_set_active_low(struct gpiod_line_settings *settings, bool is_low) {
  settings->request.is_active_low = is_low;
}
int gpiod_line_settings_set_bias(
    struct gpiod_line_settings *settings, enum gpiod_line_bias bias) {
  settings->request.bias = bias == GPIOD_LINE_BIAS_DISABLED    ? GPIO_FAKE_BIAS_DISABLED
                           : bias == GPIOD_LINE_BIAS_PULL_UP   ? GPIO_FAKE_BIAS_PULL_UP
                           : bias == GPIOD_LINE_BIAS_PULL_DOWN ? GPIO_FAKE_BIAS_PULL_DOWN
                                                               : GPIO_FAKE_BIAS_AS_IS;
  return 0;
}
int gpiod_line_settings_set_drive(
    struct gpiod_line_settings *settings, enum gpiod_line_drive drive) {
  settings->request.drive = drive == GPIOD_LINE_DRIVE_OPEN_DRAIN    ? GPIO_FAKE_DRIVE_OPEN_DRAIN
                            : drive == GPIOD_LINE_DRIVE_OPEN_SOURCE ? GPIO_FAKE_DRIVE_OPEN_SOURCE
                                                                    : GPIO_FAKE_DRIVE_PUSH_PULL;
  return 0;
}
int gpiod_line_settings_set_direction(
    struct gpiod_line_settings *settings, enum gpiod_line_direction direction) {
  settings->request.is_output = direction == GPIOD_LINE_DIRECTION_OUTPUT;
  return 0;
}
int gpiod_line_settings_set_edge_detection(
    struct gpiod_line_settings *settings, enum gpiod_line_edge edge) {
  settings->request.has_both_edges = edge == GPIOD_LINE_EDGE_BOTH;
  return 0;
}
int gpiod_line_settings_set_event_clock(
    struct gpiod_line_settings *settings, enum gpiod_line_clock clock) {
  settings->request.has_monotonic_clock = clock == GPIOD_LINE_CLOCK_MONOTONIC;
  return 0;
}
int gpiod_line_settings_set_output_value(
    struct gpiod_line_settings *settings, enum gpiod_line_value value) {
  (void)settings;
  return value == GPIOD_LINE_VALUE_INACTIVE ? 0 : -1;
}

struct gpiod_line_config *gpiod_line_config_new(void) {
  return calloc(1, sizeof(struct gpiod_line_config));
}
void gpiod_line_config_free(struct gpiod_line_config *config) { free(config); }
int gpiod_line_config_add_line_settings(
    struct gpiod_line_config *config, const unsigned int *offsets, size_t count,
    struct gpiod_line_settings *settings) {
  if (count != 1) return -1;
  config->offset = offsets[0];
  config->request = settings->request;
  return 0;
}

struct gpiod_request_config *gpiod_request_config_new(void) {
  return calloc(1, sizeof(struct gpiod_request_config));
}
void gpiod_request_config_free(struct gpiod_request_config *config) { free(config); }
void gpiod_request_config_set_consumer(
    struct gpiod_request_config *config, const char *consumer) {
  strncpy(config->consumer, consumer, sizeof config->consumer - 1);
}
void gpiod_request_config_set_event_buffer_size(
    struct gpiod_request_config *config, size_t size) {
  (void)config;
  if (size != MOST_EVENTS) abort();
}

struct gpiod_line_request *gpiod_chip_request_lines(
    struct gpiod_chip *chip, struct gpiod_request_config *config,
    struct gpiod_line_config *lines) {
  errno = EINVAL;
  if (lines->offset >= chip->chip->line_count) return NULL;
  struct fake_line *line = &chip->chip->lines[lines->offset];
  struct gpio_fake_request wanted = lines->request;
  memcpy(wanted.consumer, config->consumer, sizeof wanted.consumer);
  if (fake_request(line, wanted) < 0) return NULL;
  struct gpiod_line_request *request = calloc(1, sizeof *request);
  request->line = line;
  request->offset = lines->offset;
  return request;
}

void gpiod_line_request_release(struct gpiod_line_request *request) {
  fake_release(request->line);
  free(request);
}
enum gpiod_line_value gpiod_line_request_get_value(
    struct gpiod_line_request *request, unsigned int offset) {
  if (offset != request->offset) return GPIOD_LINE_VALUE_ERROR;
  return fake_level(request->line) ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
}
int gpiod_line_request_set_value(
    struct gpiod_line_request *request, unsigned int offset, enum gpiod_line_value value) {
  errno = offset == request->offset ? request->line->read_error : EINVAL;
  if (errno) return -1;
  fake_set(request->line, value == GPIOD_LINE_VALUE_ACTIVE);
  return 0;
}
int gpiod_line_request_get_fd(struct gpiod_line_request *request) {
  return request->line->descriptor;
}

struct gpiod_edge_event_buffer *gpiod_edge_event_buffer_new(size_t capacity) {
  struct gpiod_edge_event_buffer *buffer = calloc(1, sizeof *buffer);
  buffer->capacity = capacity;
  return buffer;
}
void gpiod_edge_event_buffer_free(struct gpiod_edge_event_buffer *buffer) { free(buffer); }

int gpiod_line_request_read_edge_events(
    struct gpiod_line_request *request, struct gpiod_edge_event_buffer *buffer, size_t most) {
  struct fake_event found[MOST_EVENTS];
  const size_t limit = most < buffer->capacity ? most : buffer->capacity;
  const int count = fake_read(request->line, found, limit < MOST_EVENTS ? (int)limit : MOST_EVENTS);
  for (int index = 0; index < count; index += 1) buffer->events[index].event = found[index];
  return count;
}
struct gpiod_edge_event *gpiod_edge_event_buffer_get_event(
    struct gpiod_edge_event_buffer *buffer, unsigned long index) {
  return &buffer->events[index];
}
enum gpiod_edge_event_type gpiod_edge_event_get_event_type(struct gpiod_edge_event *event) {
  return event->event.is_rising ? GPIOD_EDGE_EVENT_RISING_EDGE : GPIOD_EDGE_EVENT_FALLING_EDGE;
}
uint64_t gpiod_edge_event_get_timestamp_ns(struct gpiod_edge_event *event) {
  return (uint64_t)event->event.nanoseconds;
}
unsigned long gpiod_edge_event_get_line_seqno(struct gpiod_edge_event *event) {
  return event->event.number;
}
#endif
