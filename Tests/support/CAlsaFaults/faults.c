// The failing device: an ioplug without hardware. Its position follows the transferred frames, so
// while it is well it always has one period to read or to write.
#include "CAlsaFaults.h"

#include <alsa/pcm_external.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct device {
  snd_pcm_ioplug_t io;
  struct faults *faults;
  snd_pcm_uframes_t transferred;
  // While it overruns: the device's position, counted without wrapping.
  snd_pcm_uframes_t head;
};

static int start(snd_pcm_ioplug_t *io) {
  struct device *device = io->private_data;
  device->faults->starts += 1;
  if (device->faults->mood == FAULTS_STOPS_ONCE) device->faults->mood = FAULTS_GOOD;
  return 0;
}

static int stop(snd_pcm_ioplug_t *io) {
  (void)io;
  return 0;
}

static int prepare(snd_pcm_ioplug_t *io) {
  struct device *device = io->private_data;
  device->faults->prepares += 1;
  device->transferred = 0;
  return 0;
}

static int resume(snd_pcm_ioplug_t *io) {
  struct device *device = io->private_data;
  device->faults->resumes += 1;
  device->faults->mood = FAULTS_GOOD;
  return 0;
}

static snd_pcm_sframes_t pointer(snd_pcm_ioplug_t *io) {
  struct device *device = io->private_data;
  const bool is_capture = io->stream == SND_PCM_STREAM_CAPTURE;
  snd_pcm_uframes_t position = device->transferred;
  switch (device->faults->mood) {
    case FAULTS_OVERRUNS:
      if (io->appl_ptr < device->head) return (snd_pcm_sframes_t)device->head;
      device->faults->mood = FAULTS_GOOD;
      device->transferred = device->head;
      return (snd_pcm_sframes_t)(device->head + io->period_size);
    case FAULTS_STOPS:
    case FAULTS_STOPS_ONCE: return -EPIPE;
    case FAULTS_IDLES: break;
    default:
      if (is_capture) position += io->period_size;
      else position -= position < io->period_size ? position : io->period_size;
  }
  if (device->faults->runs_on) return (snd_pcm_sframes_t)position;
  return (snd_pcm_sframes_t)(position % io->buffer_size);
}

static snd_pcm_sframes_t transfer(
    snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset,
    snd_pcm_uframes_t size) {
  struct device *device = io->private_data;
  if (io->stream == SND_PCM_STREAM_CAPTURE)
    snd_pcm_areas_silence(areas, offset, io->channels, size, io->format);
  device->transferred += size;
  return (snd_pcm_sframes_t)size;
}

static int set_software(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *parameters) {
  struct device *device = io->private_data;
  device->faults->setups += 1;
  return snd_pcm_sw_params_get_avail_min(parameters, &device->faults->wait_frames);
}

static int poll_revents(
    snd_pcm_ioplug_t *io, struct pollfd *descriptors, unsigned int count, unsigned short *events) {
  (void)descriptors, (void)count;
  struct device *device = io->private_data;
  if (device->faults->mood == FAULTS_GONE) *events = POLLERR;
  else *events = io->stream == SND_PCM_STREAM_CAPTURE ? POLLIN : POLLOUT;
  return 0;
}

static int close_device(snd_pcm_ioplug_t *io) {
  close(io->poll_fd);
  free(io->private_data);
  return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = start,
    .stop = stop,
    .prepare = prepare,
    .resume = resume,
    .pointer = pointer,
    .transfer = transfer,
    .sw_params = set_software,
    .poll_revents = poll_revents,
    .close = close_device,
};

snd_pcm_t *faults_open(struct faults *faults, bool is_playback) {
  struct device *device = calloc(1, sizeof *device);
  if (!device) return NULL;
  device->faults = faults;
  device->io.version = SND_PCM_IOPLUG_VERSION;
  device->io.name = "A device that fails";
  device->io.callback = &callbacks;
  device->io.private_data = device;
  device->io.flags = SND_PCM_IOPLUG_FLAG_MONOTONIC;
  if (faults->runs_on) device->io.flags |= SND_PCM_IOPLUG_FLAG_BOUNDARY_WA;
  device->io.poll_fd = eventfd(1, EFD_NONBLOCK | EFD_CLOEXEC);
  device->io.poll_events = POLLIN;
  const snd_pcm_stream_t stream = is_playback ? SND_PCM_STREAM_PLAYBACK : SND_PCM_STREAM_CAPTURE;
  if (snd_pcm_ioplug_create(&device->io, "faults", stream, SND_PCM_NONBLOCK) < 0) {
    close(device->io.poll_fd);
    free(device);
    return NULL;
  }
  faults->device = &device->io;
  return device->io.pcm;
}

void faults_set(struct faults *faults, enum faults_mood mood) {
  faults->mood = mood;
  if (mood == FAULTS_OVERRUNS) {
    snd_pcm_ioplug_t *io = faults->device;
    struct device *device = io->private_data;
    device->head = io->appl_ptr + io->buffer_size * 5 / 2;
  }
  if (mood == FAULTS_SLEEPS) snd_pcm_ioplug_set_state(faults->device, SND_PCM_STATE_SUSPENDED);
  if (mood == FAULTS_GONE) snd_pcm_ioplug_set_state(faults->device, SND_PCM_STATE_DISCONNECTED);
}
