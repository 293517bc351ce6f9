// Shared by the files of the shim: the generation of libgpiod, and small helpers. Private to this
// target; Swift does not see it.
#pragma once

#include "CGPIO.h"

#include <errno.h>
#include <gpiod.h>

#ifdef GPIOD_LINE_BULK_MAX_LINES
#define CGPIO_GENERATION 1
#else
#define CGPIO_GENERATION 2
#endif

// Returns the negative errno; EIO if errno is not set.
int cgpio_failure(void);
void cgpio_copy(char target[32], const char *source);
int cgpio_never_wait(int descriptor);
