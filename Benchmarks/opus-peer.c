// The lower limit: a program that only calls libopus. It reads and writes 64 KiB at a time; packets
// are discarded when encoding, and come from Ogg pages of libogg when decoding.
// usage: opus-peer encode RAW CHANNELS COMPLEXITY [RATE] | decode OPUS CHANNELS
// The settings are those of Reel: 48 kHz, 16 bits, 20 ms, 64 kb/s, constrained variable bit rate.
// Sound of another rate is first converted by libspeexdsp, with the quality that Reel uses.
#include <ogg/ogg.h>
#include <opus/opus.h>
#include <speex/speex_resampler.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  rate = 48000, packetFrames = 960, largestFrames = 5760, largestPacket = 1283, chunkFrames = 1024,
  resamplerQuality = 5
};

static int16_t samples[largestFrames * 2];

// Converts until `samples` holds a packet. Returns 0 at the end of the file.
static int fill_converted(SpeexResamplerState *resampler, FILE *file, int channels) {
  static int16_t chunk[chunkFrames * 2];
  static spx_uint32_t place, end;
  for (spx_uint32_t filled = 0; filled < packetFrames;) {
    if (place == end) {
      place = 0;
      end = fread(chunk, 2 * channels, chunkFrames, file);
      if (end == 0) return 0;
    }
    spx_uint32_t taken = end - place, made = packetFrames - filled;
    speex_resampler_process_interleaved_int(
        resampler, chunk + place * channels, &taken, samples + filled * channels, &made);
    place += taken;
    filled += made;
  }
  return 1;
}

static int encode(FILE *file, int channels, int complexity, int inputRate) {
  int status;
  OpusEncoder *encoder = opus_encoder_create(rate, channels, OPUS_APPLICATION_AUDIO, &status);
  if (status != OPUS_OK) return 70;
  opus_encoder_ctl(encoder, OPUS_SET_BITRATE(64000));
  opus_encoder_ctl(encoder, OPUS_SET_VBR(1));
  opus_encoder_ctl(encoder, OPUS_SET_VBR_CONSTRAINT(1));
  opus_encoder_ctl(encoder, OPUS_SET_COMPLEXITY(complexity));
  SpeexResamplerState *resampler = NULL;
  if (inputRate != rate) {
    resampler = speex_resampler_init(channels, inputRate, rate, resamplerQuality, &status);
    if (!resampler) return 70;
    speex_resampler_skip_zeros(resampler);
  }
  static unsigned char packet[largestPacket];
  while (resampler ? fill_converted(resampler, file, channels)
                   : fread(samples, 2 * channels, packetFrames, file) == packetFrames)
    if (opus_encode(encoder, samples, packetFrames, packet, sizeof packet) < 1) return 70;
  opus_encoder_destroy(encoder);
  return 0;
}

static int decode(FILE *file, int channels) {
  int status;
  OpusDecoder *decoder = opus_decoder_create(rate, channels, &status);
  if (status != OPUS_OK) return 70;
  ogg_sync_state sync;
  ogg_stream_state stream;
  ogg_page page;
  ogg_packet packet;
  ogg_sync_init(&sync);
  long count = 0;
  for (size_t got; (got = fread(ogg_sync_buffer(&sync, 65536), 1, 65536, file)) > 0;) {
    ogg_sync_wrote(&sync, got);
    while (ogg_sync_pageout(&sync, &page) == 1) {
      if (ogg_page_bos(&page)) ogg_stream_init(&stream, ogg_page_serialno(&page));
      ogg_stream_pagein(&stream, &page);
      while (ogg_stream_packetout(&stream, &packet) == 1)
        // The first two packets are headers.
        if (count++ >= 2 &&
            opus_decode(decoder, packet.packet, packet.bytes, samples, largestFrames, 0) < 1)
          return 70;
    }
  }
  return count > 2 ? 0 : 70;
}

int main(int argc, char **argv) {
  if (argc < 4) return 64;
  FILE *file = fopen(argv[2], "rb");
  static char buffer[65536];
  if (!file || setvbuf(file, buffer, _IOFBF, sizeof buffer) != 0) return 66;
  const int channels = atoi(argv[3]);
  if (strcmp(argv[1], "encode") == 0 && (argc == 5 || argc == 6))
    return encode(file, channels, atoi(argv[4]), argc == 6 ? atoi(argv[5]) : rate);
  if (strcmp(argv[1], "decode") == 0 && argc == 4) return decode(file, channels);
  return 64;
}
