// C that realtime Swift needs and cannot import: attributes that clang and Swift both understand,
// the sanitizers' hooks, and a few Linux calls (pages, threads, eventfd). A function marked
// REEL_REALTIME may be called from any thread at any time: it never allocates, locks or blocks. The
// others are for set-up and for ordinary threads.
#ifndef REEL_CREALTIME_H
#define REEL_CREALTIME_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#pragma clang assume_nonnull begin

// Makes a function callable under Swift's @_noLocks and @_noAllocation. Clang ignores it.
#define REEL_SWIFT_REALTIME __attribute__((swift_attr("@_noLocks")))

// The same, and clang checks the body: -Wfunction-effects, -fsanitize=realtime.
#if defined(__has_attribute) && __has_attribute(nonblocking)
#define REEL_REALTIME __attribute__((nonblocking)) REEL_SWIFT_REALTIME
#else
#define REEL_REALTIME REEL_SWIFT_REALTIME
#endif

// RealtimeSanitizer's hooks; null in a program that is not linked with it.
extern void __rtsan_realtime_enter(void) __attribute__((weak));
extern void __rtsan_realtime_exit(void) __attribute__((weak));
extern void __rtsan_disable(void) __attribute__((weak));
extern void __rtsan_enable(void) __attribute__((weak));

// ThreadSanitizer's hooks, likewise.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

// Reports to ThreadSanitizer that a lock it cannot see was taken, or is about to be released.
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

// Returns an eventfd that doesn't block, or the negative errno.
int realtime_event_open(void);

// Drains the eventfd. Returns whether there was anything in it.
bool realtime_event_take(int event_descriptor);

// CLOCK_MONOTONIC.
int64_t realtime_now_milliseconds(void);

// Waits until the eventfd can be read; false if the deadline passes first (negative: none).
bool realtime_event_wait(int event_descriptor, int64_t deadline_milliseconds);

// Maps whole pages, backed by memory from the start if prefaulted. Returns null, with errno set, on
// failure. A guarded mapping starts with one inaccessible page.
void *_Nullable realtime_pages_map(size_t byte_count, bool prefaulted, bool guarded);
void realtime_pages_unmap(void *pages, size_t byte_count);

// Returns the whole pages of a range to the kernel. When touched again, they are zero.
void realtime_pages_return(void *start, size_t byte_count);

// Locks pages in memory. Returns 0 or the errno.
int realtime_pages_lock(void *pages, size_t byte_count);

// Locks the code and data of the program and its libraries, each page once it has been touched.
// Returns 0, or the errno of the first part that was refused.
int realtime_program_lock(void);
size_t realtime_page_byte_count(void);

// Starts a thread on the given stack. Priority 0: that of its creator; else SCHED_FIFO from its
// first instruction. Processor -1: any. Returns 0 or the errno; EPERM means that SCHED_FIFO was
// refused.
int realtime_thread_start(
    pthread_t *thread, void *stack, size_t stack_byte_count, int priority, int processor,
    void *_Nullable (*_Nonnull body)(void *), void *context);

// Names the calling thread; the kernel keeps 15 bytes.
void realtime_thread_name(const char *name);

// Returns the calling thread's SCHED_FIFO priority; 0 if it has another policy.
int realtime_thread_priority(void);

// Returns the words for an errno; never null, never freed.
const char *realtime_errno_words(int number);

/// Accepts a waiting connection, non-blocking and close-on-exec; -1 with errno.
int realtime_accept(int listener);

/// Makes a pipe, close-on-exec; -1 with errno.
int realtime_pipe(int *ends);

/// Renames a file, but never replaces one: -1 and EEXIST if the new name exists, -1 and EINVAL if
/// the file system cannot promise that.
int realtime_rename_new(int from_directory, const char *from, int to_directory, const char *to);

// Reads what the kernel knows of an open file's type and size; false if it knows nothing. Unlike
// fstat, it asks no file server and no FUSE program, so it never waits for one.
bool realtime_file_known(int descriptor, uint32_t *mode, uint64_t *byte_count);

#pragma clang assume_nonnull end
#endif
