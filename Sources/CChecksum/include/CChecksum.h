// CRC-32 by the processor's own instructions, for the checksums of a card's index. Only the target
// Library imports this.
#ifndef REEL_CCHECKSUM_H
#define REEL_CCHECKSUM_H

#include <stddef.h>
#include <stdint.h>

// Advances a CRC-32, as in Ethernet and PNG and before its final inversion, over the first of the
// bytes. Returns over how many: none, if the processor has no instruction for it, and never more
// than `count`. Reads only those. For any thread.
size_t reel_checksum_advance(uint32_t *sum, const void *bytes, size_t count);

#endif
