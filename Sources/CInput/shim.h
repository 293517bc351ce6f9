// Linux input devices for Panel: the few ioctls, whose numbers Swift cannot import, and events with
// times in nanoseconds. Results are 0 or a negative errno. Nothing here waits if the descriptor is
// non-blocking. Only the target Panel imports this.
#pragma once

#include <errno.h>
#include <linux/input.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static inline int cinput_result(int result) { return result < 0 ? -errno : result; }

// Reads the device's own name, ended by 0.
static inline int cinput_name(int descriptor, char *name, unsigned long size) {
  memset(name, 0, size);
  return cinput_result(ioctl(descriptor, EVIOCGNAME(size - 1), name));
}

// Makes its events carry CLOCK_MONOTONIC, the clock that audio frames are stamped with.
static inline int cinput_use_monotonic_clock(int descriptor) {
  int clock = CLOCK_MONOTONIC;
  return cinput_result(ioctl(descriptor, EVIOCSCLOCKID, &clock));
}

// Takes the device exclusively: the keys of a pedal must not end up on a text console.
static inline int cinput_grab(int descriptor) {
  return cinput_result(ioctl(descriptor, EVIOCGRAB, (void *)1));
}

enum { CINPUT_KEY_BYTES = KEY_MAX / 8 + 1 };

// Reads which keys are down now, one bit each.
static inline int cinput_keys_down(int descriptor, uint8_t keys[CINPUT_KEY_BYTES]) {
  memset(keys, 0, CINPUT_KEY_BYTES);
  return cinput_result(ioctl(descriptor, EVIOCGKEY(CINPUT_KEY_BYTES), keys));
}

struct cinput_event {
  int64_t nanoseconds;
  uint16_t type;
  uint16_t code;
  int32_t value;
};

enum { CINPUT_EVENTS_AT_ONCE = 32 };

// Reads waiting events, at most CINPUT_EVENTS_AT_ONCE. Returns how many, 0 if none wait, or a
// negative errno if the device is gone.
static inline int cinput_read(int descriptor, struct cinput_event *events) {
  struct input_event raw[CINPUT_EVENTS_AT_ONCE];
  const ssize_t length = read(descriptor, raw, sizeof raw);
  if (length < 0) return errno == EAGAIN || errno == EINTR ? 0 : -errno;
  if (length == 0) return -ENODEV;
  const int count = (int)((size_t)length / sizeof *raw);
  for (int index = 0; index < count; index += 1) {
    const struct input_event *from = &raw[index];
    events[index].nanoseconds =
        (int64_t)from->input_event_sec * 1000000000 + (int64_t)from->input_event_usec * 1000;
    events[index].type = from->type;
    events[index].code = from->code;
    events[index].value = from->value;
  }
  return count;
}
