// zlib for Swift: the CRC-32 of files in an archive. Only the target Web imports this.
#pragma once

#include <zlib.h>
