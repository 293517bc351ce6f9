// The rings that people use today, measured as Sources/reel-bench/RingBench.swift measures ours:
// the same two pinned threads, the same blocks, the same waiting, the same check.
// usage: ring-peers jack|portaudio|boost bytes|items SIZE COUNT
//        ring-peers moodycamel items SIZE COUNT
// Prints bytes or items a second. moodycamel's queue takes single items only; it stands for the fast
// rings whose ends keep a copy of the other's position.
#include <boost/lockfree/spsc_queue.hpp>
#include <jack/ringbuffer.h>
#include <pthread.h>
#include <readerwriterqueue/readerwriterqueue.h>
#include <time.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

extern "C" {
#include "pa_ringbuffer.h"
}

static const size_t ringByteCount = 65536;

// A ring of T with write, read (as many as fit) and push, pop (one).
template <typename T> struct Jack {
  jack_ringbuffer_t *ring = jack_ringbuffer_create(ringByteCount);
  size_t write(const T *source, size_t count) {
    return jack_ringbuffer_write(ring, (const char *)source, count * sizeof(T)) / sizeof(T);
  }
  size_t read(T *target, size_t count) {
    return jack_ringbuffer_read(ring, (char *)target, count * sizeof(T)) / sizeof(T);
  }
  bool push(T item) {
    return jack_ringbuffer_write_space(ring) >= sizeof(T) && write(&item, 1) == 1;
  }
  bool pop(T &item) {
    return jack_ringbuffer_read_space(ring) >= sizeof(T) && read(&item, 1) == 1;
  }
};

template <typename T> struct PortAudio {
  PaUtilRingBuffer ring;
  std::vector<T> memory = std::vector<T>(ringByteCount / sizeof(T));
  PortAudio() { PaUtil_InitializeRingBuffer(&ring, sizeof(T), memory.size(), memory.data()); }
  size_t write(const T *source, size_t count) {
    return PaUtil_WriteRingBuffer(&ring, source, count);
  }
  size_t read(T *target, size_t count) { return PaUtil_ReadRingBuffer(&ring, target, count); }
  bool push(T item) { return write(&item, 1) == 1; }
  bool pop(T &item) { return read(&item, 1) == 1; }
};

template <typename T> struct Boost {
  boost::lockfree::spsc_queue<T, boost::lockfree::capacity<ringByteCount / sizeof(T)>> ring;
  size_t write(const T *source, size_t count) { return ring.push(source, count); }
  size_t read(T *target, size_t count) { return ring.pop(target, count); }
  bool push(T item) { return ring.push(item); }
  bool pop(T &item) { return ring.pop(item); }
};

template <typename T> struct Moodycamel {
  moodycamel::ReaderWriterQueue<T> ring{ringByteCount / sizeof(T)};
  bool push(T item) { return ring.try_enqueue(item); }
  bool pop(T &item) { return ring.try_dequeue(item); }
};

static inline void spin_hint() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

static double seconds_now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

static std::atomic<int> arrived;
static void pass_gate(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
  arrived.fetch_add(1);
  while (arrived.load() < 2) spin_hint();
}

// Runs the writer beside the reader; returns the reader's seconds.
template <typename Write, typename Read> static double measure(Write write, Read read) {
  double seconds = 0;
  std::thread writing([&] { pass_gate(0); write(); });
  std::thread reading([&] {
    pass_gate(1);
    const double start = seconds_now();
    read();
    seconds = seconds_now() - start;
  });
  writing.join();
  reading.join();
  return seconds;
}

static void check(uint32_t found, size_t index) {
  if (found != (uint32_t)index) {
    fprintf(stderr, "ring-peers: %u in place of %zu\n", found, index);
    exit(70);
  }
}

template <typename Ring> static double bytes_per_second(size_t size, size_t count) {
  auto ring = std::make_unique<Ring>();
  const double seconds = measure(
      [&] {
        std::vector<char> block(size);
        for (size_t index = 0; index < count; index++) {
          const uint32_t number = (uint32_t)index;
          memcpy(block.data(), &number, sizeof number);
          for (size_t done = 0; done < size;) {
            const size_t written = ring->write(block.data() + done, size - done);
            if (written == 0) spin_hint();
            done += written;
          }
        }
      },
      [&] {
        std::vector<char> block(size);
        for (size_t index = 0; index < count; index++) {
          for (size_t done = 0; done < size;) {
            const size_t got = ring->read(block.data() + done, size - done);
            if (got == 0) spin_hint();
            done += got;
          }
          uint32_t number;
          memcpy(&number, block.data(), sizeof number);
          check(number, index);
        }
      });
  return size * count / seconds;
}

template <typename Ring> static double items_per_second(size_t count) {
  auto ring = std::make_unique<Ring>();
  const double seconds = measure(
      [&] {
        for (size_t index = 0; index < count; index++)
          while (!ring->push((uint32_t)index)) spin_hint();
      },
      [&] {
        for (size_t index = 0; index < count; index++) {
          uint32_t item;
          while (!ring->pop(item)) spin_hint();
          check(item, index);
        }
      });
  return count / seconds;
}

template <template <typename> class Ring>
static double measure_ring(const char *kind, size_t size, size_t count) {
  if (strcmp(kind, "bytes") == 0) return bytes_per_second<Ring<char>>(size, count);
  return items_per_second<Ring<uint32_t>>(count);
}

int main(int argc, char **argv) {
  if (argc != 5) return 64;
  const char *peer = argv[1];
  const size_t size = strtoul(argv[3], nullptr, 10), count = strtoul(argv[4], nullptr, 10);
  double figure;
  if (strcmp(peer, "jack") == 0) figure = measure_ring<Jack>(argv[2], size, count);
  else if (strcmp(peer, "portaudio") == 0) figure = measure_ring<PortAudio>(argv[2], size, count);
  else if (strcmp(peer, "boost") == 0) figure = measure_ring<Boost>(argv[2], size, count);
  else if (strcmp(peer, "moodycamel") == 0 && strcmp(argv[2], "items") == 0)
    figure = items_per_second<Moodycamel<uint32_t>>(count);
  else return 64;
  printf("%.0f\n", figure);
}
