// libopusfile: opening, decoding and seeking in Ogg Opus files. Only the target Tape
// imports it, and calls it as its own documentation says.
#pragma once
#include <opusfile.h>
