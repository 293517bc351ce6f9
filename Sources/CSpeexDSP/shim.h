// The resampler of libspeexdsp; nothing else of it is used. Only the target Tape
// imports it, and calls it as its own documentation says.
#pragma once
#include <speex/speex_resampler.h>
