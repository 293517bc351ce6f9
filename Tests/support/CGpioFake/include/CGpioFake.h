// GPIO chips inside the test: libgpiod's own functions, as many as the shim calls, of whichever
// generation is at hand. A test program that is linked with this gets them instead of the
// library's, so what the shim asks for is seen and what it is told is made up. Lines have physical
// levels, keep as many events as the kernel does, and drop what the kernel would drop. Used by one
// thread. A path that is no chip of the test's goes on to the real library.
#ifndef CGPIO_FAKE_H
#define CGPIO_FAKE_H

#include <stdbool.h>
#include <stdint.h>

// Forgets all chips. Lines that are still requested must have been released.
void gpio_fake_reset(void);

// How many chips and lines are open: what was not given back.
int gpio_fake_open_count(void);

// A chip that is opened by `path`; its number is what the rest is asked with.
int gpio_fake_add(const char *path, const char *label, unsigned int line_count);
void gpio_fake_name(int chip, unsigned int offset, const char *name);
void gpio_fake_take(int chip, unsigned int offset, const char *consumer, bool is_output);
// From now on opening the chip, asking for the line, or reading it fails with that errno; 0 is
// well.
void gpio_fake_fail_open(int chip, int error);
void gpio_fake_fail_request(int chip, unsigned int offset, int error);
void gpio_fake_fail_read(int chip, unsigned int offset, int error);

// The line has that physical level from then on.
void gpio_fake_drive(int chip, unsigned int offset, bool is_high, int64_t nanoseconds);

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

// What a line was requested for.
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
