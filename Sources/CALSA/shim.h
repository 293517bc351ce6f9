// alsa-lib as Swift is to see it. What a realtime thread calls is here as plain functions that
// Swift's @_noLocks lets through: alsa-lib takes a lock of its own, which nobody else ever holds,
// and the waiting is what the thread is there for. Times are nanoseconds of CLOCK_MONOTONIC,
// results are frames or a negative errno. Only the target Audio imports this.
#pragma once

#include <alsa/asoundlib.h>
#include <poll.h>
#include <stdint.h>
#include <time.h>

#define CALSA_REALTIME __attribute__((swift_attr("@_noLocks")))

CALSA_REALTIME static inline int64_t calsa_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

CALSA_REALTIME static inline void calsa_pause(int milliseconds) { poll(NULL, 0, milliseconds); }

// 1 when there are frames or there is room, 0 when the time is over.
CALSA_REALTIME static inline long calsa_wait(snd_pcm_t *pcm, int milliseconds) {
  return snd_pcm_wait(pcm, milliseconds);
}

// How many frames can be read or written, and when that was so: 0 if the device cannot tell. Not
// snd_pcm_avail, which asks the hardware anew: then the time is now, but on USB the position is
// still that of the last transfer. The update before the time is for kernels that share no page.
CALSA_REALTIME static inline long calsa_available(snd_pcm_t *pcm, int64_t *stamp) {
  snd_pcm_uframes_t frames = 0;
  snd_htimestamp_t time = {0, 0};
  *stamp = 0;
  const long updated = snd_pcm_avail_update(pcm);
  if (updated < 0 || snd_pcm_htimestamp(pcm, &frames, &time) < 0) return updated;
  *stamp = (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
  return (long)frames;
}

// How many frames are between what is written next and what is heard now.
CALSA_REALTIME static inline long calsa_delay(snd_pcm_t *pcm) {
  snd_pcm_sframes_t frames = 0;
  const int result = snd_pcm_delay(pcm, &frames);
  return result < 0 ? result : frames < 0 ? 0 : frames;
}

CALSA_REALTIME static inline long calsa_read(snd_pcm_t *pcm, void *target, long frames) {
  return snd_pcm_readi(pcm, target, (snd_pcm_uframes_t)frames);
}

CALSA_REALTIME static inline long calsa_write(snd_pcm_t *pcm, const void *source, long frames) {
  return snd_pcm_writei(pcm, source, (snd_pcm_uframes_t)frames);
}

CALSA_REALTIME static inline long calsa_prepare(snd_pcm_t *pcm) { return snd_pcm_prepare(pcm); }
CALSA_REALTIME static inline long calsa_start(snd_pcm_t *pcm) { return snd_pcm_start(pcm); }
CALSA_REALTIME static inline long calsa_resume(snd_pcm_t *pcm) { return snd_pcm_resume(pcm); }
CALSA_REALTIME static inline long calsa_drop(snd_pcm_t *pcm) { return snd_pcm_drop(pcm); }

CALSA_REALTIME static inline snd_pcm_state_t calsa_state(snd_pcm_t *pcm) {
  return snd_pcm_state(pcm);
}

static inline void calsa_say_nothing(
    const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

// alsa-lib writes every failure to stderr, some of them thousands of times; we report our own way.
static inline void calsa_be_quiet(void) { snd_lib_error_set_handler(calsa_say_nothing); }

// Forgets the configuration of cards that were there when it was read, so that the next open
// knows those that are there now.
static inline void calsa_forget_cards(void) { snd_config_update_free_global(); }
