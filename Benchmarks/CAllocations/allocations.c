// See the header. The C library offers the names with two underscores for this purpose. Memory is
// freed by its `free`, which is not replaced.
#define _GNU_SOURCE
#include "CAllocations.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// A sanitizer replaces the allocator itself, and would bypass these functions.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(realtime_sanitizer)
#define IS_COUNTING 0
#else
#define IS_COUNTING 1
#endif

static _Thread_local Allocations so_far;

Allocations allocations_so_far(void) { return so_far; }

bool allocations_are_counted(void) { return IS_COUNTING; }

#if IS_COUNTING
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static void count(size_t bytes) {
  so_far.count += 1;
  so_far.bytes += bytes;
}

void *malloc(size_t bytes) {
  count(bytes);
  return __libc_malloc(bytes);
}

void *calloc(size_t items, size_t bytes) {
  count(items * bytes);
  return __libc_calloc(items, bytes);
}

void *realloc(void *before, size_t bytes) {
  count(bytes);
  return __libc_realloc(before, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
  count(bytes);
  return __libc_memalign(alignment, bytes);
}

int posix_memalign(void **result, size_t alignment, size_t bytes) {
  count(bytes);
  *result = __libc_memalign(alignment, bytes);
  return *result ? 0 : ENOMEM;
}
#endif

double processor_microseconds(void) {
  struct timespec used;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return used.tv_sec * 1e6 + used.tv_nsec / 1e3;
}

int instructions_begin(void) {
  struct perf_event_attr wanted = {
      .type = PERF_TYPE_HARDWARE,
      .size = sizeof wanted,
      .config = PERF_COUNT_HW_INSTRUCTIONS,
      .exclude_kernel = 1,
      .exclude_hv = 1,
  };
  return (int)syscall(SYS_perf_event_open, &wanted, 0, -1, -1, 0);
}

uint64_t instructions_so_far(int descriptor) {
  uint64_t instructions = 0;
  return read(descriptor, &instructions, sizeof instructions) == sizeof instructions ? instructions
                                                                                    : 0;
}
