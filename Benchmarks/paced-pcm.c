// A capture device that keeps real time where the kernel has none, and costs no more than one of
// the kernel's would: a plugin for alsa-lib that delivers the samples of a file, again and again,
// by the clock. Its position runs freely with CLOCK_MONOTONIC; a reader that lags by its
// stop threshold, usually the whole buffer, has lost frames. For each wait it makes one system
// call, as a kernel's device has one to read.
//   pcm_type.reelpaced { lib "libasound_module_pcm_reelpaced.so" }
//   pcm.paced { type reelpaced file "sound.raw" rate 48000 channels 1 format S16_LE }
// It has the format, rate and channels that are given, interleaved: S16_LE, S24_3LE or S32_LE.
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { second = 1000000000, mostChannels = 32 };

struct paced {
  snd_pcm_ioplug_t io;
  const char *sound;
  size_t soundFrames, soundBytes, frameBytes;
  snd_pcm_format_t format;
  unsigned rate, channels;
  snd_pcm_uframes_t leastFrames, stopFrames, boundary;
  // When the stream was started; and for the sound, which goes on while it stands, for the first
  // time.
  int64_t startedAt, firstAt;
};

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * second + time.tv_nsec;
}

static int64_t frames_in(const struct paced *paced, int64_t nanoseconds) {
  return nanoseconds / second * paced->rate + nanoseconds % second * paced->rate / second;
}

// The first instant at which that many frames are complete.
static int64_t nanoseconds_of(const struct paced *paced, int64_t frames) {
  return frames / paced->rate * second +
         (frames % paced->rate * second + paced->rate - 1) / paced->rate;
}

// Sets when the descriptor becomes readable: with the frame that makes enough of them.
static void arm(const struct paced *paced) {
  const int64_t enough = (int64_t)(paced->io.appl_ptr + paced->leastFrames);
  const int64_t at = paced->startedAt + nanoseconds_of(paced, enough);
  const struct itimerspec time = {.it_value = {at / second, at % second}};
  timerfd_settime(paced->io.poll_fd, TFD_TIMER_ABSTIME, &time, NULL);
}

static snd_pcm_sframes_t pointer(snd_pcm_ioplug_t *io) {
  const struct paced *paced = io->private_data;
  const snd_pcm_uframes_t frames = frames_in(paced, now() - paced->startedAt);
  if (frames > io->appl_ptr && frames - io->appl_ptr >= paced->stopFrames) return -EPIPE;
  return frames % paced->boundary;
}

static int start(snd_pcm_ioplug_t *io) {
  struct paced *paced = io->private_data;
  paced->startedAt = now();
  if (paced->firstAt == 0) paced->firstAt = paced->startedAt;
  arm(paced);
  return 0;
}

static int stop(snd_pcm_ioplug_t *io) {
  const struct itimerspec never = {0};
  timerfd_settime(io->poll_fd, 0, &never, NULL);
  return 0;
}

static snd_pcm_sframes_t transfer(
    snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset,
    snd_pcm_uframes_t size) {
  const struct paced *paced = io->private_data;
  char *target = (char *)areas->addr + (areas->first + areas->step * offset) / 8;
  const size_t missed = frames_in(paced, paced->startedAt - paced->firstAt);
  size_t place = (missed + io->appl_ptr) % paced->soundFrames;
  for (size_t left = size; left > 0; place = 0) {
    const size_t run = left < paced->soundFrames - place ? left : paced->soundFrames - place;
    memcpy(target, paced->sound + place * paced->frameBytes, run * paced->frameBytes);
    target += run * paced->frameBytes;
    left -= run;
  }
  return size;
}

static int set_software(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *parameters) {
  struct paced *paced = io->private_data;
  snd_pcm_sw_params_get_avail_min(parameters, &paced->leastFrames);
  snd_pcm_sw_params_get_stop_threshold(parameters, &paced->stopFrames);
  snd_pcm_sw_params_get_boundary(parameters, &paced->boundary);
  return 0;
}

static int poll_descriptors(snd_pcm_ioplug_t *io, struct pollfd *descriptors, unsigned room) {
  if (room < 1) return -EINVAL;
  *descriptors = (struct pollfd){.fd = io->poll_fd, .events = POLLIN};
  if (io->state == SND_PCM_STATE_RUNNING) arm(io->private_data);
  return 1;
}

// A program that does not ask for the descriptor before each wait finds it readable once more.
static int poll_revents(
    snd_pcm_ioplug_t *io, struct pollfd *descriptors, unsigned count, unsigned short *events) {
  const struct paced *paced = io->private_data;
  if (count != 1) return -EINVAL;
  *events = descriptors->revents;
  if (!(*events & POLLIN) || io->state != SND_PCM_STATE_RUNNING) return 0;
  const snd_pcm_uframes_t frames = frames_in(paced, now() - paced->startedAt);
  if (frames >= io->appl_ptr + paced->leastFrames) return 0;
  arm(paced);
  *events = 0;
  return 0;
}

static void release(struct paced *paced) {
  if (paced->sound) munmap((void *)paced->sound, paced->soundBytes);
  if (paced->io.poll_fd >= 0) close(paced->io.poll_fd);
  free(paced);
}

static int close_device(snd_pcm_ioplug_t *io) {
  release(io->private_data);
  return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = start,
    .stop = stop,
    .pointer = pointer,
    .transfer = transfer,
    .close = close_device,
    .sw_params = set_software,
    .poll_descriptors = poll_descriptors,
    .poll_revents = poll_revents,
};

static int map_sound(struct paced *paced, const char *path) {
  struct stat status;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -errno;
  void *memory = MAP_FAILED;
  if (fstat(file, &status) == 0 && status.st_size >= (off_t)paced->frameBytes)
    memory = mmap(NULL, status.st_size, PROT_READ, MAP_SHARED | MAP_POPULATE, file, 0);
  close(file);
  if (memory == MAP_FAILED) return -EINVAL;
  paced->sound = memory;
  paced->soundBytes = status.st_size;
  paced->soundFrames = paced->soundBytes / paced->frameBytes;
  return 0;
}

// Periods of 1 ms to 1 s, of which the buffer has two to 2,000, or 8 s.
static int offer(struct paced *paced) {
  static const unsigned accesses[] = {
      SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_ACCESS_MMAP_INTERLEAVED};
  const unsigned formats[] = {paced->format};
  const unsigned frame = paced->frameBytes, rate = paced->rate;
  const unsigned least = frame * (rate / 1000), most = frame * rate;
  snd_pcm_ioplug_t *io = &paced->io;
  const int results[] = {
      snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 2, accesses),
      snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, 1, formats),
      snd_pcm_ioplug_set_param_minmax(
          io, SND_PCM_IOPLUG_HW_CHANNELS, paced->channels, paced->channels),
      snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_RATE, rate, rate),
      snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, least, most),
      snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, 2 * least, 8 * most),
      snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIODS, 2, 2000),
  };
  for (size_t index = 0; index < sizeof results / sizeof *results; index++)
    if (results[index] < 0) return results[index];
  return 0;
}

// Reads the device's entry in the configuration.
static int configure(struct paced *paced, snd_config_t *entry, const char **path) {
  long rate = 48000, channels = 1;
  const char *format = "S16_LE";
  snd_config_iterator_t place, next;
  *path = NULL;
  snd_config_for_each(place, next, entry) {
    snd_config_t *field = snd_config_iterator_entry(place);
    const char *name;
    if (snd_config_get_id(field, &name) < 0) continue;
    int result = 0;
    if (strcmp(name, "file") == 0) result = snd_config_get_string(field, path);
    else if (strcmp(name, "format") == 0) result = snd_config_get_string(field, &format);
    else if (strcmp(name, "rate") == 0) result = snd_config_get_integer(field, &rate);
    else if (strcmp(name, "channels") == 0) result = snd_config_get_integer(field, &channels);
    if (result < 0) return result;
  }
  const snd_pcm_format_t known = snd_pcm_format_value(format);
  const int isKnown = known == SND_PCM_FORMAT_S16_LE || known == SND_PCM_FORMAT_S24_3LE ||
                      known == SND_PCM_FORMAT_S32_LE;
  if (!*path || !isKnown || rate < 8000 || rate > 192000 || channels < 1 ||
      channels > mostChannels)
    return -EINVAL;
  paced->format = known;
  paced->rate = rate;
  paced->channels = channels;
  paced->frameBytes = channels * snd_pcm_format_physical_width(known) / 8;
  return 0;
}

SND_PCM_PLUGIN_DEFINE_FUNC(reelpaced) {
  (void)root;
  if (stream != SND_PCM_STREAM_CAPTURE) return -EINVAL;
  struct paced *paced = calloc(1, sizeof *paced);
  if (!paced) return -ENOMEM;
  const char *path;
  paced->io.poll_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  int result = paced->io.poll_fd < 0 ? -errno : configure(paced, conf, &path);
  if (result == 0) result = map_sound(paced, path);
  if (result < 0) {
    release(paced);
    return result;
  }
  paced->io.version = SND_PCM_IOPLUG_VERSION;
  paced->io.name = "Reel's paced device";
  paced->io.flags = SND_PCM_IOPLUG_FLAG_MONOTONIC | SND_PCM_IOPLUG_FLAG_BOUNDARY_WA;
  paced->io.poll_events = POLLIN;
  paced->io.callback = &callbacks;
  paced->io.private_data = paced;
  result = snd_pcm_ioplug_create(&paced->io, name, stream, mode);
  if (result < 0) {
    release(paced);
    return result;
  }
  result = offer(paced);
  if (result < 0) {
    // Closes it, too.
    snd_pcm_ioplug_delete(&paced->io);
    return result;
  }
  *pcmp = paced->io.pcm;
  return 0;
}

SND_PCM_PLUGIN_SYMBOL(reelpaced);
