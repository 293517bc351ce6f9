// What realtime Swift needs from C and cannot import: marks that clang and Swift both understand,
// the sanitizers' doors, and a few Linux calls (pages, threads, eventfd).
// What carries REEL_REALTIME may be called from any thread at any time: it never allocates,
// locks or blocks. The rest is for setting up and for ordinary threads.
#ifndef REEL_CREALTIME_H
#define REEL_CREALTIME_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#pragma clang assume_nonnull begin

// Lets a function through Swift's @_noLocks and @_noAllocation. Says nothing to clang.
#define REEL_SWIFT_REALTIME __attribute__((swift_attr("@_noLocks")))

// The same, and clang holds the body to it: -Wfunction-effects, -fsanitize=realtime.
#if defined(__has_attribute) && __has_attribute(nonblocking)
#define REEL_REALTIME __attribute__((nonblocking)) REEL_SWIFT_REALTIME
#else
#define REEL_REALTIME REEL_SWIFT_REALTIME
#endif

// RealtimeSanitizer's doors, there only in a program linked with it.
extern void __rtsan_realtime_enter(void) __attribute__((weak));
extern void __rtsan_realtime_exit(void) __attribute__((weak));
extern void __rtsan_disable(void) __attribute__((weak));
extern void __rtsan_enable(void) __attribute__((weak));

// ThreadSanitizer's, likewise.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

// A lock that ThreadSanitizer cannot see was taken; it is about to be given back.
static inline void sanitizer_lock_taken(void *lock) {
  if (__tsan_acquire) __tsan_acquire(lock);
}

static inline void sanitizer_lock_given_back(void *lock) {
  if (__tsan_release) __tsan_release(lock);
}

// From here to the exit the sanitizer stops the program at the first call that could block.
REEL_SWIFT_REALTIME static inline void realtime_section_enter(void) {
  if (__rtsan_realtime_enter) __rtsan_realtime_enter();
}

REEL_SWIFT_REALTIME static inline void realtime_section_exit(void) {
  if (__rtsan_realtime_exit) __rtsan_realtime_exit();
}

REEL_REALTIME static inline void realtime_copy(
    void *restrict target, const void *restrict source, size_t byte_count) {
  memcpy(target, source, byte_count);
}

// For a loop that waits for another core: saves power and lets a sibling run.
REEL_REALTIME static inline void realtime_spin_hint(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ volatile("yield");
#endif
}

// Adds one to an eventfd. A system call, but one that never waits: the descriptor doesn't block.
REEL_SWIFT_REALTIME void realtime_event_signal(int event_descriptor);

// An eventfd that doesn't block, or the negative errno.
int realtime_event_open(void);

// Empties the eventfd and says whether there was anything in it.
bool realtime_event_take(int event_descriptor);

// CLOCK_MONOTONIC.
int64_t realtime_now_milliseconds(void);

// Waits until the eventfd can be read; false if that was not before the deadline (negative: none).
bool realtime_event_wait(int event_descriptor, int64_t deadline_milliseconds);

// Whole pages, each of them already backed by memory if prefaulted. Null, with errno set, if
// there are none. A guarded mapping starts with one page that must not be touched.
void *_Nullable realtime_pages_map(size_t byte_count, bool prefaulted, bool guarded);
void realtime_pages_unmap(void *pages, size_t byte_count);

// Gives the whole pages of a range back to the system: they are there again, empty, when touched.
void realtime_pages_return(void *start, size_t byte_count);

// Pins pages in memory. 0 or the errno.
int realtime_pages_lock(void *pages, size_t byte_count);
size_t realtime_page_byte_count(void);

// Starts a thread on the given stack. Priority 0: as its creator; else SCHED_FIFO from its first
// instruction. Processor -1: any. 0 or the errno, EPERM meaning that SCHED_FIFO was refused.
int realtime_thread_start(
    pthread_t *thread, void *stack, size_t stack_byte_count, int priority, int processor,
    void *_Nullable (*_Nonnull body)(void *), void *context);

// Names the calling thread; the kernel keeps 15 bytes.
void realtime_thread_name(const char *name);

// What the kernel says of the calling thread: 0 when it is not SCHED_FIFO.
int realtime_thread_priority(void);

// The words for an errno; never null, never freed.
const char *realtime_errno_words(int number);

#pragma clang assume_nonnull end
#endif
