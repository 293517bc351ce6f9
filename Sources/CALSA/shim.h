// alsa-lib for Swift. The calls of realtime threads are plain functions here, which Swift's
// @_noLocks accepts: alsa-lib does take a lock of its own, but no other thread ever holds it, and
// waiting for the device is the thread's purpose. Times are nanoseconds of CLOCK_MONOTONIC, results
// are frames or a negative errno. Only the target Audio imports this.
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

// Returns 1 if there are frames or there is room, 0 on timeout, or a negative errno.
CALSA_REALTIME static inline long calsa_wait(snd_pcm_t *pcm, int milliseconds) {
  return snd_pcm_wait(pcm, milliseconds);
}

// Sets how many frames there must be before a wait ends. Returns 0 or a negative errno. Allocates
// nothing. Of the kernel's devices only a word that is shared with it changes.
CALSA_REALTIME static inline long calsa_set_wait(snd_pcm_t *pcm, long frames) {
  snd_pcm_sw_params_t *software;
  snd_pcm_sw_params_alloca(&software);
  int result = snd_pcm_sw_params_current(pcm, software);
  if (result >= 0)
    result = snd_pcm_sw_params_set_avail_min(pcm, software, (snd_pcm_uframes_t)frames);
  return result < 0 ? result : snd_pcm_sw_params(pcm, software);
}

// Returns how many frames can be read or written, and in `stamp` when that was so: 0 if the device
// cannot tell. Not snd_pcm_avail, which asks the hardware anew: the time is then now, but on USB
// the position is still that of the last transfer. The update before the time is for kernels that
// do not share the status page.
CALSA_REALTIME static inline long calsa_available(snd_pcm_t *pcm, int64_t *stamp) {
  snd_pcm_uframes_t frames = 0;
  snd_htimestamp_t time = {0, 0};
  *stamp = 0;
  const long updated = snd_pcm_avail_update(pcm);
  if (updated < 0 || snd_pcm_htimestamp(pcm, &frames, &time) < 0) return updated;
  *stamp = (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
  return (long)frames;
}

// Returns how many frames lie between the next one written and the one heard now.
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

CALSA_REALTIME static inline long calsa_forward(snd_pcm_t *pcm, long frames) {
  return snd_pcm_forward(pcm, (snd_pcm_uframes_t)frames);
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

// alsa-lib writes every failure to stderr, some of them thousands of times; Reel reports them
// itself.
static inline void calsa_be_quiet(void) { snd_lib_error_set_handler(calsa_say_nothing); }

// Drops the cached configuration, which holds the cards of the time when it was read, so that the
// next open sees the cards that are present now.
static inline void calsa_forget_cards(void) { snd_config_update_free_global(); }
