// libsndfile: WAV, RF64, FLAC, MP3 and whatever else it reads. Only the target Tape
// imports it, and calls it as its own documentation says.
#pragma once
#include <sndfile.h>
