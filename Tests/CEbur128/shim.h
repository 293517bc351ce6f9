// libebur128: loudness as EBU R 128 defines it. Only TapeTests imports it, to compare the meter of
// Tape with the common implementation.
#pragma once
#include <ebur128.h>
