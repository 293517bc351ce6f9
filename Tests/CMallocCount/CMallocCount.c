// Stands in for malloc in a test program and counts what it is asked for, so that a test can say
// what an action costs without a clock. It adds nothing of its own to what the C library does.
#include "CMallocCount.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define NOT_COUNTING 1
#endif
#endif

static __thread size_t asked = 0;

size_t CMallocCount_asked(void) { return asked; }

#ifdef NOT_COUNTING
bool CMallocCount_isCounting(void) { return false; }
#else
bool CMallocCount_isCounting(void) { return true; }

// The program's own `malloc` comes before the C library's, for every library it is linked with.
extern void *__libc_malloc(size_t size);

void *malloc(size_t size) {
  asked += size;
  return __libc_malloc(size);
}
#endif
