// The lower limit of a FLAC take: a program that only calls libFLAC. It reads 64 KiB at a time;
// what it encodes is discarded. The settings are those of Reel: level 5, blocks of at most 0.1 s.
// usage: flac-peer RAW CHANNELS 16|24 RATE [FLAC]      16: samples of 16 bits; 24: floats
// With a file it does the least that each file of a take needs: what it encodes goes through
// SHA-256, is written to the file, and is synced at the end.
#include <FLAC/stream_encoder.h>
#include <fcntl.h>
#include <math.h>
#include <nettle/sha2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { chunkFrames = 1024, mostChannels = 8 };

static int target = -1;
static struct sha256_ctx hash;

static FLAC__StreamEncoderWriteStatus pass(
    const FLAC__StreamEncoder *encoder, const FLAC__byte bytes[], size_t count, uint32_t samples,
    uint32_t frame, void *client) {
  if (target < 0) return FLAC__STREAM_ENCODER_WRITE_STATUS_OK;
  sha256_update(&hash, count, bytes);
  return write(target, bytes, count) == (ssize_t)count
             ? FLAC__STREAM_ENCODER_WRITE_STATUS_OK
             : FLAC__STREAM_ENCODER_WRITE_STATUS_FATAL_ERROR;
}

int main(int argc, char **argv) {
  if (argc < 5) return 64;
  FILE *file = fopen(argv[1], "rb");
  static char buffer[65536];
  if (!file || setvbuf(file, buffer, _IOFBF, sizeof buffer) != 0) return 66;
  const int channels = atoi(argv[2]), bits = atoi(argv[3]), rate = atoi(argv[4]);
  FLAC__StreamEncoder *encoder = FLAC__stream_encoder_new();
  FLAC__stream_encoder_set_streamable_subset(encoder, 0);
  FLAC__stream_encoder_set_channels(encoder, channels);
  FLAC__stream_encoder_set_bits_per_sample(encoder, bits);
  FLAC__stream_encoder_set_sample_rate(encoder, rate);
  FLAC__stream_encoder_set_compression_level(encoder, 5);
  FLAC__stream_encoder_set_blocksize(encoder, rate > 48000 ? 8192 : 4608);
  sha256_init(&hash);
  if (argc > 5) target = open(argv[5], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (argc > 5 && target < 0) return 73;
  if (FLAC__stream_encoder_init_stream(encoder, pass, NULL, NULL, NULL, NULL) !=
      FLAC__STREAM_ENCODER_INIT_STATUS_OK)
    return 70;
  static int16_t whole[chunkFrames * mostChannels];
  static float floats[chunkFrames * mostChannels];
  static FLAC__int32 samples[chunkFrames * mostChannels];
  for (;;) {
    void *into = bits == 16 ? (void *)whole : (void *)floats;
    size_t got = fread(into, (bits == 16 ? 2 : 4) * channels, chunkFrames, file);
    if (got == 0) break;
    for (size_t index = 0; index < got * channels; index++)
      samples[index] = bits == 16 ? whole[index] : (FLAC__int32)lrintf(floats[index] * 8388608);
    if (!FLAC__stream_encoder_process_interleaved(encoder, samples, got)) return 70;
  }
  if (!FLAC__stream_encoder_finish(encoder)) return 70;
  return target < 0 || fsync(target) == 0 ? 0 : 74;
}
