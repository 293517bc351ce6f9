// libFLAC, as it is: its stream encoder and stream decoder. Only the target Tape imports it, and
// calls it as its own documentation says.
#pragma once
#include <FLAC/stream_decoder.h>
#include <FLAC/stream_encoder.h>

/// The library's name and version, as its files have it.
static inline const char *cflac_vendor(void) { return FLAC__VENDOR_STRING; }
