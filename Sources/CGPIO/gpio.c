// The shim between Panel and libgpiod: one file for each generation of the library, and here what
// both share. The library's header tells them apart: 1.6 defines macros, 2.x none.
#include "common.h"

#include <fcntl.h>
#include <stdio.h>

int cgpio_generation(void) { return CGPIO_GENERATION; }

int cgpio_failure(void) { return errno > 0 ? -errno : -EIO; }

void cgpio_copy(char target[32], const char *source) {
  snprintf(target, 32, "%s", source ? source : "");
}

// The event loop must never wait for a line; the library does not set this by itself.
int cgpio_never_wait(int descriptor) {
  const int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0) return cgpio_failure();
  return 0;
}

int cgpio_open_chip(const char *path, struct cgpio_chip **chip) {
  errno = 0;
  *chip = (struct cgpio_chip *)gpiod_chip_open(path);
  return *chip ? 0 : cgpio_failure();
}

void cgpio_close_chip(struct cgpio_chip *chip) { gpiod_chip_close((struct gpiod_chip *)chip); }
