// The counting encoder: writes runs of samples as a packet that is valid Opus, of the right
// duration, and meaningless as sound. The linker finds this `opus_encode` before the library's own,
// which is looked up by name for threads that do not count. Any thread; each is switched by itself.
#define _GNU_SOURCE
#include "CCountingOpus.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>

typedef struct OpusEncoder OpusEncoder;
typedef int32_t (*encode_function)(OpusEncoder *, const int16_t *, int, unsigned char *, int32_t);

static _Thread_local int is_counting;

void counting_opus_turn(int on) { is_counting = on; }

static int goes_on(int16_t sample, int16_t next) {
  if (sample == 0 || next == 0) return sample == next;
  return sample > 0 ? next == sample + 1 : next == sample - 1;
}

static int32_t count(const int16_t *samples, int frames, unsigned char *packet, int32_t room) {
  int32_t length = 1;
  packet[0] = COUNTING_OPUS_TOC;
  for (int start = 0, end; start < frames; start = end) {
    for (end = start + 1; end < frames && goes_on(samples[end - 1], samples[end]); end++) continue;
    if (length + 4 > room) return -2;
    uint16_t run[2] = {(uint16_t)samples[start], (uint16_t)(end - start)};
    for (int index = 0; index < 4; index++)
      packet[length++] = (unsigned char)(run[index / 2] >> (8 * (index % 2)));
  }
  return length;
}

int32_t opus_encode(
    OpusEncoder *encoder, const int16_t *samples, int frames, unsigned char *packet, int32_t room) {
  static _Atomic(encode_function) real;
  if (is_counting) return count(samples, frames, packet, room);
  encode_function function = atomic_load(&real);
  if (!function) {
    function = (encode_function)dlsym(RTLD_NEXT, "opus_encode");
    atomic_store(&real, function);
  }
  return function(encoder, samples, frames, packet, room);
}
