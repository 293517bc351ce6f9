// The filters of the loudness meter, for several pieces of sound side by side. Only the target Tape
// imports this.
#ifndef REEL_CWEIGHTING_H
#define REEL_CWEIGHTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { reel_lanes = 8 };

// Two filters of second order: a shelf, whose factor b0 is 1, and a high pass, whose b0, b1 and b2
// are 1, -2 and 1.
struct reel_filters {
  float shelf_b1, shelf_b2, shelf_a1, shelf_a2, pass_a1, pass_a2;
};

// As many pieces as the lanes hold: eight of one channel; four of two, whose right channels have
// the second half of the lanes; two of three or four, one in each half; or one of five to eight.
// Samples have 16 bits, and a piece begins a stride behind the one before. More channels than two
// are read eight samples at a time: so many can be read behind the last frame.
struct reel_pieces {
  const int16_t *first;
  size_t stride_samples;
  int channels;
};

// What the filters remember, zeros to begin with, and the sums of the squares of what they made.
struct reel_weighing {
  float shelf1[reel_lanes], shelf2[reel_lanes], pass1[reel_lanes], pass2[reel_lanes];
  float sums[reel_lanes], differences[reel_lanes];
};

// Filters each frame; or in pairs the sum of each two, and adds the squares of the unfiltered
// differences, too. `samples` is the number of samples of a piece: whole pairs of frames.
void reel_weigh(
    const struct reel_filters *filters, struct reel_pieces pieces, size_t samples, bool in_pairs,
    struct reel_weighing *weighing);

#endif
