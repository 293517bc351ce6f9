// libebur128: loudness as EBU R 128 measures it. Only TapeTests
// imports it, to hold the meter of Tape against what everybody measures with.
#pragma once
#include <ebur128.h>
