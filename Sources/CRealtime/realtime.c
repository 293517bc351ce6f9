// The Linux calls behind Realtime. Each returns its errno and decides nothing: Swift decides what a
// refusal means. Only realtime_event_signal may be called in a realtime section.
#define _GNU_SOURCE
#include "CRealtime.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

void realtime_event_signal(int event_descriptor) {
  const uint64_t one = 1;
  int before = errno;
  // RealtimeSanitizer treats every write as blocking; this one cannot block.
  if (__rtsan_disable) __rtsan_disable();
  ssize_t written;
  do {
    written = write(event_descriptor, &one, sizeof one);
  } while (written < 0 && errno == EINTR);
  if (__rtsan_enable) __rtsan_enable();
  errno = before;
}

int realtime_event_open(void) {
  int event_descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  return event_descriptor < 0 ? -errno : event_descriptor;
}

bool realtime_event_take(int event_descriptor) {
  uint64_t count;
  return read(event_descriptor, &count, sizeof count) == (ssize_t)sizeof count;
}

int64_t realtime_now_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int milliseconds_until(int64_t deadline) {
  const int64_t left = deadline - realtime_now_milliseconds();
  return left < 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

bool realtime_event_wait(int event_descriptor, int64_t deadline_milliseconds) {
  struct pollfd wanted = {.fd = event_descriptor, .events = POLLIN};
  int ready;
  do {
    ready = poll(
        &wanted, 1, deadline_milliseconds < 0 ? -1 : milliseconds_until(deadline_milliseconds));
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

size_t realtime_page_byte_count(void) { return (size_t)sysconf(_SC_PAGESIZE); }

void *realtime_pages_map(size_t byte_count, bool prefaulted, bool guarded) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | (prefaulted ? MAP_POPULATE : 0);
  char *pages = mmap(NULL, byte_count, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (pages == MAP_FAILED) return NULL;
  if (guarded && mprotect(pages, realtime_page_byte_count(), PROT_NONE) != 0) {
    const int reason = errno;
    munmap(pages, byte_count);
    errno = reason;
    return NULL;
  }
  return pages;
}

void realtime_pages_unmap(void *pages, size_t byte_count) { munmap(pages, byte_count); }

void realtime_pages_return(void *start, size_t byte_count) {
  const uintptr_t page = realtime_page_byte_count();
  const uintptr_t first = ((uintptr_t)start + page - 1) / page * page;
  const uintptr_t end = ((uintptr_t)start + byte_count) / page * page;
  // If that fails, as with locked memory, the pages stay.
  if (first < end) (void)madvise((void *)first, end - first, MADV_DONTNEED);
}

int realtime_pages_lock(void *pages, size_t byte_count) {
  // Not mlock, which the sanitizers replace by a no-op.
  return mlock2(pages, byte_count, 0) == 0 ? 0 : errno;
}

static int lock_object(struct dl_phdr_info *object, size_t size, void *result) {
  (void)size;
  const uintptr_t page = realtime_page_byte_count();
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    if (part->p_type != PT_LOAD) continue;
    const uintptr_t start = (object->dlpi_addr + part->p_vaddr) / page * page;
    const uintptr_t end = object->dlpi_addr + part->p_vaddr + part->p_memsz;
    if (mlock2((void *)start, end - start, MLOCK_ONFAULT) != 0 && *(int *)result == 0)
      *(int *)result = errno;
  }
  return 0;
}

int realtime_program_lock(void) {
  int reason = 0;
  dl_iterate_phdr(lock_object, &reason);
  return reason;
}

static int set_processor(pthread_attr_t *attributes, int processor) {
  if (processor < 0) return 0;
  if (processor >= CPU_SETSIZE) return EINVAL;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  return pthread_attr_setaffinity_np(attributes, sizeof set, &set);
}

static int set_priority(pthread_attr_t *attributes, int priority) {
  if (priority == 0) return 0;
  const struct sched_param parameter = {.sched_priority = priority};
  int reason = pthread_attr_setinheritsched(attributes, PTHREAD_EXPLICIT_SCHED);
  if (reason == 0) reason = pthread_attr_setschedpolicy(attributes, SCHED_FIFO);
  if (reason == 0) reason = pthread_attr_setschedparam(attributes, &parameter);
  return reason;
}

int realtime_thread_start(
    pthread_t *thread, void *stack, size_t stack_byte_count, int priority, int processor,
    void *(*body)(void *), void *context) {
  pthread_attr_t attributes;
  int reason = pthread_attr_init(&attributes);
  if (reason != 0) return reason;
  reason = pthread_attr_setstack(&attributes, stack, stack_byte_count);
  if (reason == 0) reason = set_processor(&attributes, processor);
  if (reason == 0) reason = set_priority(&attributes, priority);
  if (reason == 0) reason = pthread_create(thread, &attributes, body, context);
  pthread_attr_destroy(&attributes);
  return reason;
}

void realtime_thread_name(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

int realtime_thread_priority(void) {
  struct sched_param parameter;
  int policy;
  if (pthread_getschedparam(pthread_self(), &policy, &parameter) != 0) return 0;
  return policy == SCHED_FIFO ? parameter.sched_priority : 0;
}

const char *realtime_errno_words(int number) {
  const char *words = strerrordesc_np(number);
  return words ? words : "unknown error";
}

int realtime_accept(int listener) {
  return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int realtime_pipe(int *ends) { return pipe2(ends, O_CLOEXEC); }

int realtime_rename_new(int from_directory, const char *from, int to_directory, const char *to) {
  return renameat2(from_directory, from, to_directory, to, RENAME_NOREPLACE);
}

bool realtime_file_known(int descriptor, uint32_t *mode, uint64_t *byte_count) {
  struct statx status;
  int flags = AT_EMPTY_PATH | AT_STATX_DONT_SYNC;
  if (statx(descriptor, "", flags, STATX_TYPE | STATX_SIZE, &status) != 0) return false;
  *mode = status.stx_mode;
  *byte_count = status.stx_size;
  return true;
}
