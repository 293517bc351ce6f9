// The least that a take in real time costs: a program of one thread that reads a device a fifth of
// a second at a time, encodes that with libopus, writes the packets to a file, and makes the file
// safe each second. It has no pre-roll, no container, no hash, no level and no loudness, and while
// the card makes it wait, it reads nothing.
// usage: live-peer PCM SECONDS FILE      a device of one channel of 16 bits at 48 kHz
// The settings are those of Reel: 20 ms, 64 kb/s, constrained variable bit rate, complexity 10.
#include <alsa/asoundlib.h>
#include <fcntl.h>
#include <opus/opus.h>
#include <stdlib.h>
#include <unistd.h>

enum { rate = 48000, packetFrames = 960, packets = 10, largestPacket = 1283 };

int main(int argc, char **argv) {
  if (argc != 4) return 64;
  int status;
  OpusEncoder *encoder = opus_encoder_create(rate, 1, OPUS_APPLICATION_AUDIO, &status);
  if (status != OPUS_OK) return 70;
  opus_encoder_ctl(encoder, OPUS_SET_BITRATE(64000));
  opus_encoder_ctl(encoder, OPUS_SET_VBR(1));
  opus_encoder_ctl(encoder, OPUS_SET_VBR_CONSTRAINT(1));
  opus_encoder_ctl(encoder, OPUS_SET_COMPLEXITY(10));
  const int file = open(argv[3], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return 73;
  snd_pcm_t *pcm;
  // Of the latency, a quarter becomes the period.
  const unsigned latencyMicroseconds = 4 * 200000;
  if (snd_pcm_open(&pcm, argv[1], SND_PCM_STREAM_CAPTURE, 0) < 0 ||
      snd_pcm_set_params(pcm, SND_PCM_FORMAT_S16_LE, SND_PCM_ACCESS_RW_INTERLEAVED, 1, rate, 0,
          latencyMicroseconds) < 0)
    return 66;
  static int16_t samples[packetFrames * packets];
  static unsigned char made[largestPacket * packets];
  for (int part = 1; part <= 5 * atoi(argv[2]); part++) {
    if (snd_pcm_readi(pcm, samples, packetFrames * packets) != packetFrames * packets) return 74;
    int count = 0;
    for (int packet = 0; packet < packets; packet++) {
      const int bytes = opus_encode(
          encoder, samples + packet * packetFrames, packetFrames, made + count, largestPacket);
      if (bytes < 1) return 70;
      count += bytes;
    }
    if (write(file, made, count) != count || (part % 5 == 0 && fdatasync(file) != 0)) return 74;
  }
  return 0;
}
