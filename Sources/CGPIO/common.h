// What the files of the shim share: which generation of libgpiod is at hand, and small helpers.
// Private to this target; nothing here is seen by Swift.
#pragma once

#include "CGPIO.h"

#include <errno.h>
#include <gpiod.h>

#ifdef GPIOD_LINE_BULK_MAX_LINES
#define CGPIO_GENERATION 1
#else
#define CGPIO_GENERATION 2
#endif

// What errno says, as a result; a failure without a reason is EIO.
int cgpio_failure(void);
void cgpio_copy(char target[32], const char *source);
int cgpio_never_wait(int descriptor);
