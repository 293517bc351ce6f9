// GPIO chips inside the test: those of libgpiod's functions that the shim calls, of the installed
// generation. A test program that is linked with this gets them instead of the library's, so the
// test sees the shim's requests and makes up the answers. Lines have physical levels, keep as many
// events as the kernel does, and drop events as the kernel does. Used by one thread. A path that is
// none of the test's chips goes on to the real library.
#ifndef CGPIO_FAKE_H
#define CGPIO_FAKE_H

#include <stdbool.h>
#include <stdint.h>

// Forgets all chips. Lines that are still requested must have been released.
void gpio_fake_reset(void);

// Returns how many chips and lines are open.
int gpio_fake_open_count(void);

// Adds a chip that is opened by `path`; returns its number for the other functions.
int gpio_fake_add(const char *path, const char *label, unsigned int line_count);
void gpio_fake_name(int chip, unsigned int offset, const char *name);
void gpio_fake_take(int chip, unsigned int offset, const char *consumer, bool is_output);
// Makes opening the chip, requesting the line, or reading it fail with that errno; 0: no failure.
void gpio_fake_fail_open(int chip, int error);
void gpio_fake_fail_request(int chip, unsigned int offset, int error);
void gpio_fake_fail_read(int chip, unsigned int offset, int error);

// Sets the line's physical level, as of that time.
void gpio_fake_drive(int chip, unsigned int offset, bool is_high, int64_t nanoseconds);
// The same in two steps, as for a kernel whose thread is late.
void gpio_fake_turn(int chip, unsigned int offset, bool is_high);
void gpio_fake_report(int chip, unsigned int offset, int64_t nanoseconds);

enum gpio_fake_bias {
  GPIO_FAKE_BIAS_AS_IS,
  GPIO_FAKE_BIAS_DISABLED,
  GPIO_FAKE_BIAS_PULL_UP,
  GPIO_FAKE_BIAS_PULL_DOWN
};
enum gpio_fake_drive {
  GPIO_FAKE_DRIVE_PUSH_PULL,
  GPIO_FAKE_DRIVE_OPEN_DRAIN,
  GPIO_FAKE_DRIVE_OPEN_SOURCE
};

// The settings of a line's request.
struct gpio_fake_request {
  bool is_requested;
  bool is_output;
  bool has_both_edges;
  bool is_active_low;
  bool has_monotonic_clock;
  enum gpio_fake_bias bias;
  enum gpio_fake_drive drive;
  char consumer[64];
};
struct gpio_fake_request gpio_fake_seen(int chip, unsigned int offset);

// The physical level, of an input or an output.
bool gpio_fake_is_high(int chip, unsigned int offset);

#endif
