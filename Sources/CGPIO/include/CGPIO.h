// GPIO lines for Panel, the same with libgpiod 1.6 and 2.x, whose functions differ in all but two.
// Each line is requested on its own and has its own descriptor, so that one busy line does not fail
// the others. Times are the kernel's, in nanoseconds of CLOCK_MONOTONIC; levels are logical: the
// kernel applies active-low. Results are 0 or a negative errno. Not for use by two threads at once;
// nothing here waits. Only the target Panel imports this.
#ifndef CGPIO_H
#define CGPIO_H

#include <stdbool.h>
#include <stdint.h>

// The generation of libgpiod this was built with: 1 or 2.
int cgpio_generation(void);

// Chips are opened to be described and closed again: no line depends on them.
struct cgpio_chip;
int cgpio_open_chip(const char *path, struct cgpio_chip **chip);
void cgpio_close_chip(struct cgpio_chip *chip);

struct cgpio_chip_info {
  char name[32];
  char label[32];
  unsigned int line_count;
};
int cgpio_describe_chip(struct cgpio_chip *chip, struct cgpio_chip_info *info);

struct cgpio_line_info {
  // Empty if it has none.
  char name[32];
  char consumer[32];
  bool is_used;
  bool is_output;
};
int cgpio_describe_line(
    struct cgpio_chip *chip, unsigned int offset, struct cgpio_line_info *info);

enum cgpio_bias {
  CGPIO_BIAS_AS_IS,
  CGPIO_BIAS_DISABLED,
  CGPIO_BIAS_PULL_UP,
  CGPIO_BIAS_PULL_DOWN
};

enum cgpio_drive { CGPIO_DRIVE_PUSH_PULL, CGPIO_DRIVE_OPEN_DRAIN, CGPIO_DRIVE_OPEN_SOURCE };

struct cgpio_wiring {
  unsigned int offset;
  bool is_active_low;
  enum cgpio_bias bias;
  enum cgpio_drive drive;
};

// A line that this process holds until it is released. An input reports both edges; an output
// starts inactive.
struct cgpio_line;
int cgpio_request_input(
    const char *path, struct cgpio_wiring wiring, const char *consumer, struct cgpio_line **line);
int cgpio_request_output(
    const char *path, struct cgpio_wiring wiring, const char *consumer, struct cgpio_line **line);
void cgpio_release(struct cgpio_line *line);

// 1 active, 0 inactive.
int cgpio_value(struct cgpio_line *line);
int cgpio_set(struct cgpio_line *line, bool is_active);

// An input's descriptor, readable when there are edges. The line owns it.
int cgpio_descriptor(struct cgpio_line *line);

struct cgpio_edge {
  int64_t nanoseconds;
  bool is_active;
};

enum { CGPIO_EDGES_AT_ONCE = 16 };

// Reads waiting edges, at most CGPIO_EDGES_AT_ONCE. Returns how many, or a negative errno.
// `may_have_lost`: the kernel may have dropped some, so the line's value has to be read.
int cgpio_read_edges(struct cgpio_line *line, struct cgpio_edge *edges, bool *may_have_lost);

#endif
