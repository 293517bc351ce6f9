// How many bytes a thread has asked the C library for, so that a test can tell whether something
// was copied, were it only for a moment. Linked into tests only.

#pragma once
#include <stdbool.h>
#include <stddef.h>

/// All bytes this thread has asked for so far; never less than before.
size_t CMallocCount_asked(void);

/// False where a sanitizer needs `malloc` for itself: then nothing is counted.
bool CMallocCount_isCounting(void);
