// An encoder that lists its samples instead of encoding them, for simulations: the place of each
// frame of a take can then be read from its file. It replaces libopus in a program of tests, and
// passes calls on unless the calling thread has turned it on.
#ifndef REEL_COUNTING_OPUS_H
#define REEL_COUNTING_OPUS_H

// Makes this thread's encoders count, or encode. Mono, packets of 20 ms.
void counting_opus_turn(int on);

// A counting packet begins with this, followed by runs of frames: the first frame's sample and the
// number of frames, both as 16 bits, the low byte first. A run of silence is all zeros; in any
// other the samples rise by one from frame to frame, or fall if they are negative.
#define COUNTING_OPUS_TOC 0x08

#endif
