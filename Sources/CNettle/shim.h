// nettle's SHA-256, as it is: it uses the processor's own instructions for it where there are some.
// Only the target Digest imports it.
#pragma once
#include <nettle/sha2.h>
