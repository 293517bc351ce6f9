// The innermost loops of the loudness meter, which each sample of each take goes through. In C,
// because x86-64 has vectors of eight lanes, and instructions that multiply and add, as an option
// only: the processor is asked. Pure functions; they read only the pieces. Any thread.
#include "CWeighting.h"

#include <string.h>

typedef float Floats __attribute__((vector_size(32)));
typedef int32_t Ints __attribute__((vector_size(32)));
// Four words, each of two samples: a pair of frames of one channel, or a frame of two.
typedef int32_t Words __attribute__((vector_size(16)));
typedef int16_t Shorts __attribute__((vector_size(16)));

// All that pass such a vector are inlined.
#pragma clang diagnostic ignored "-Wpsabi"
#define inlined static inline __attribute__((always_inline))

struct state {
  Floats shelf1, shelf2, pass1, pass2, sums, differences;
};

// Adds the square of what both filters make of the input, in the form whose state stays small
// beside the signal.
inlined void step(Ints input, const struct reel_filters *by, struct state *now) {
  Floats sound = __builtin_convertvector(input, Floats);
  Floats bright = sound + now->shelf1;
  now->shelf1 = by->shelf_b1 * sound + now->shelf2 - by->shelf_a1 * bright;
  now->shelf2 = by->shelf_b2 * sound - by->shelf_a2 * bright;
  Floats output = bright + now->pass1;
  now->pass1 = now->pass2 - 2 * bright - by->pass_a1 * output;
  now->pass2 = bright - by->pass_a2 * output;
  now->sums += output * output;
}

inlined void pair(Ints one, Ints other, const struct reel_filters *by, struct state *now) {
  step(one + other, by, now);
  Floats difference = __builtin_convertvector(one - other, Floats);
  now->differences += difference * difference;
}

// Four words of two pieces, or as many as there are.
inlined Ints row(const int16_t *one, const int16_t *other, size_t count) {
  Words words[2] = {{0}};
  memcpy(&words[0], one, 4 * count);
  memcpy(&words[1], other, 4 * count);
  return __builtin_shufflevector(words[0], words[1], 0, 1, 2, 3, 4, 5, 6, 7);
}

// The first words of all pieces, the second, and so on. Of two channels only the first half counts.
inlined void load(struct reel_pieces from, size_t count, Ints words[4]) {
  Ints rows[4];
  for (int piece = 0; piece < 4; piece++) {
    const int16_t *one = from.first + (size_t)piece * from.stride_samples;
    rows[piece] = row(one, from.channels == 1 ? one + 4 * from.stride_samples : one, count);
  }
  Ints low01 = __builtin_shufflevector(rows[0], rows[1], 0, 8, 1, 9, 4, 12, 5, 13);
  Ints high01 = __builtin_shufflevector(rows[0], rows[1], 2, 10, 3, 11, 6, 14, 7, 15);
  Ints low23 = __builtin_shufflevector(rows[2], rows[3], 0, 8, 1, 9, 4, 12, 5, 13);
  Ints high23 = __builtin_shufflevector(rows[2], rows[3], 2, 10, 3, 11, 6, 14, 7, 15);
  words[0] = __builtin_shufflevector(low01, low23, 0, 1, 8, 9, 4, 5, 12, 13);
  words[1] = __builtin_shufflevector(low01, low23, 2, 3, 10, 11, 6, 7, 14, 15);
  words[2] = __builtin_shufflevector(high01, high23, 0, 1, 8, 9, 4, 5, 12, 13);
  words[3] = __builtin_shufflevector(high01, high23, 2, 3, 10, 11, 6, 7, 14, 15);
}

// The left samples of four pieces, then the right ones.
inlined Ints frame(Ints words) {
  return __builtin_shufflevector(words << 16, words, 0, 1, 2, 3, 8, 9, 10, 11) >> 16;
}

inlined void block(
    const struct reel_filters *by, struct reel_pieces from, size_t count, bool in_pairs,
    struct state *now) {
  Ints words[4];
  load(from, count, words);
  for (size_t word = 0; word < count; word += from.channels == 2 && in_pairs ? 2 : 1) {
    if (from.channels == 1) {
      Ints one = words[word] << 16 >> 16, other = words[word] >> 16;
      if (in_pairs) {
        pair(one, other, by, now);
      } else {
        step(one, by, now);
        step(other, by, now);
      }
    } else if (in_pairs) {
      pair(frame(words[word]), frame(words[word + 1]), by, now);
    } else {
      step(frame(words[word]), by, now);
    }
  }
}

inlined void weigh(
    const struct reel_filters *filters, struct reel_pieces from, size_t words, bool in_pairs,
    struct reel_weighing *weighing) {
  struct reel_filters by = *filters;
  struct state now;
  memcpy(&now, weighing, sizeof now);
  for (; words >= 4; words -= 4, from.first += 8) block(&by, from, 4, in_pairs, &now);
  if (words > 0) block(&by, from, words, in_pairs, &now);
  memcpy(weighing, &now, sizeof now);
}

// A frame of two pieces of up to four channels, or of one piece of more. Lanes that are left over
// have samples of the frame behind it.
inlined Ints many(const int16_t *from, size_t stride_samples, bool is_halved) {
  Shorts one, other;
  memcpy(&one, from, sizeof one);
  if (!is_halved) return __builtin_convertvector(one, Ints);
  memcpy(&other, from + stride_samples, sizeof other);
  return __builtin_convertvector(
      __builtin_shufflevector(one, other, 0, 1, 2, 3, 8, 9, 10, 11), Ints);
}

inlined void weigh_many(
    const struct reel_filters *filters, struct reel_pieces from, size_t samples, bool is_halved,
    bool in_pairs, struct reel_weighing *weighing) {
  struct reel_filters by = *filters;
  struct state now;
  memcpy(&now, weighing, sizeof now);
  const size_t two = 2 * (size_t)from.channels;
  for (; samples > 0; samples -= two, from.first += two) {
    Ints one = many(from.first, from.stride_samples, is_halved);
    Ints other = many(from.first + from.channels, from.stride_samples, is_halved);
    if (in_pairs) {
      pair(one, other, &by, &now);
    } else {
      step(one, &by, &now);
      step(other, &by, &now);
    }
  }
  memcpy(weighing, &now, sizeof now);
}

inlined void choose(
    const struct reel_filters *filters, struct reel_pieces from, size_t samples, bool in_pairs,
    struct reel_weighing *weighing) {
  struct reel_pieces mono = {from.first, from.stride_samples, 1};
  struct reel_pieces stereo = {from.first, from.stride_samples, 2};
  if (from.channels == 1) {
    weigh(filters, mono, samples / 2, in_pairs, weighing);
  } else if (from.channels == 2) {
    weigh(filters, stereo, samples / 2, in_pairs, weighing);
  } else if (from.channels <= 4) {
    weigh_many(filters, from, samples, true, in_pairs, weighing);
  } else {
    weigh_many(filters, from, samples, false, in_pairs, weighing);
  }
}

// A loop for each case, so that none asks which it is.
inlined void choose_loop(
    const struct reel_filters *filters, struct reel_pieces from, size_t samples, bool in_pairs,
    struct reel_weighing *weighing) {
  in_pairs ? choose(filters, from, samples, true, weighing)
           : choose(filters, from, samples, false, weighing);
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) static void weigh_wide(
    const struct reel_filters *filters, struct reel_pieces from, size_t samples, bool in_pairs,
    struct reel_weighing *weighing) {
  choose_loop(filters, from, samples, in_pairs, weighing);
}
#endif

void reel_weigh(
    const struct reel_filters *filters, struct reel_pieces pieces, size_t samples, bool in_pairs,
    struct reel_weighing *weighing) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return weigh_wide(filters, pieces, samples, in_pairs, weighing);
  }
#endif
  choose_loop(filters, pieces, samples, in_pairs, weighing);
}
