// An encoder that writes down what it is given instead of encoding it, for simulations: where each
// frame of a take went can then be read from its file. It stands in front of libopus in a program
// of tests, and passes everything on unless the calling thread has turned it on.
#ifndef REEL_COUNTING_OPUS_H
#define REEL_COUNTING_OPUS_H

// From now on this thread's encoders count, or encode. Mono, packets of 20 ms.
void counting_opus_turn(int on);

// A counting packet begins with this, and then says run after run of frames: the first one's
// sample and how many follow each other, both as 16 bits, the low byte first. A run of silence is
// one of zeros; any other goes up by one from frame to frame, or down if it is below zero.
#define COUNTING_OPUS_TOC 0x08

#endif
