// Only libebur128: the integrated loudness of raw samples, 16 bits at 48 kHz, 20 ms at a time.
// usage: loudness-peer RAW CHANNELS
#include <ebur128.h>
#include <stdio.h>
#include <stdlib.h>

enum { blockFrames = 960 };

int main(int argc, char **argv) {
  if (argc != 3) return 64;
  FILE *file = fopen(argv[1], "rb");
  const int channels = atoi(argv[2]);
  static short samples[blockFrames * 2];
  if (!file || channels < 1 || channels > 2) return 66;
  ebur128_state *meter = ebur128_init(channels, 48000, EBUR128_MODE_I);
  if (!meter) return 70;
  while (fread(samples, 2 * channels, blockFrames, file) == blockFrames)
    if (ebur128_add_frames_short(meter, samples, blockFrames) != EBUR128_SUCCESS) return 70;
  double loudness;
  if (ebur128_loudness_global(meter, &loudness) != EBUR128_SUCCESS) return 70;
  printf("%.1f\n", loudness);
  ebur128_destroy(&meter);
  fclose(file);
  return 0;
}
