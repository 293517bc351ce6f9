// Counts what the calling thread asks of the allocator: the functions of the C library that hand
// out memory are replaced, in a program that links this, by ones that count and pass on.
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct {
  uint64_t count;
  uint64_t bytes;
} Allocations;

/// Of this thread since it began.
Allocations allocations_so_far(void);

/// Not in a program with a sanitizer.
bool allocations_are_counted(void);

/// Microseconds of processor time that this thread has used.
double processor_microseconds(void);

/// Starts counting this thread's instructions outside the kernel: a descriptor to read them from,
/// or -1 where the machine does not count.
int instructions_begin(void);
uint64_t instructions_so_far(int descriptor);
