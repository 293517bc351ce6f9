// A sound device inside the test, made with alsa-lib's kit for devices, that fails in every way a
// card can: the errors that a program gets come from alsa-lib itself. Used by one thread.
#ifndef CALSA_FAULTS_H
#define CALSA_FAULTS_H

#include <alsa/asoundlib.h>
#include <stdbool.h>

enum faults_mood {
  FAULTS_GOOD,
  FAULTS_STOPS,      // reports an overrun or underrun at every call
  FAULTS_STOPS_ONCE, // the same, until it is started again
  FAULTS_IDLES,      // reports that it is ready and has no frames
  FAULTS_OVERRUNS,   // overwrites unread frames, for two buffers and a half
  FAULTS_SLEEPS,     // is suspended until it is woken
  FAULTS_GONE        // was unplugged
};

// The calls that the device got, and its mood.
struct faults {
  enum faults_mood mood;
  // Whether its position counts without wrapping, as that of a kernel device. Set before it is
  // opened.
  bool runs_on;
  int prepares;
  int starts;
  int resumes;
  // How often its waits were set, and how many frames end one.
  int setups;
  snd_pcm_uframes_t wait_frames;
  void *device;
};

// Opens a device that always has one period to read or to write. It is closed as any PCM; `faults`
// outlives it.
snd_pcm_t *faults_open(struct faults *faults, bool is_playback);

// Sets its mood from now on.
void faults_set(struct faults *faults, enum faults_mood mood);

#endif
