// libogg, as it is: pages, packets, checksums. Only the target Tape
// imports it, and calls it as its own documentation says.
#pragma once
#include <ogg/ogg.h>
