// A sound device inside the test, made with alsa-lib's own kit for devices, that fails in every way
// a card can: what a program is told comes from alsa-lib itself. Used by one thread.
#ifndef CALSA_FAULTS_H
#define CALSA_FAULTS_H

#include <alsa/asoundlib.h>
#include <stdbool.h>

enum faults_mood {
  FAULTS_GOOD,
  FAULTS_STOPS,      // says that it ran over or dry, whenever it is looked at
  FAULTS_STOPS_ONCE, // the same, until it is started again
  FAULTS_IDLES,      // says that it is ready and has nothing
  FAULTS_SLEEPS,     // is suspended until it is woken
  FAULTS_GONE        // was pulled out
};

// What the device was asked for, and how it is to be.
struct faults {
  enum faults_mood mood;
  int prepares;
  int starts;
  int resumes;
  void *device;
};

// A device that has or takes one period at any time. It is closed as any PCM; `faults` outlives it.
snd_pcm_t *faults_open(struct faults *faults, bool is_playback);

// From now on it is like that.
void faults_set(struct faults *faults, enum faults_mood mood);

#endif
