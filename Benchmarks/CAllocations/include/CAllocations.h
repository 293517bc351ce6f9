// Counts the calling thread's allocations: in a program that links this, the C library's allocation
// functions are replaced by ones that count and pass on.
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct {
  uint64_t count;
  uint64_t bytes;
} Allocations;

/// The allocations of this thread since it began.
Allocations allocations_so_far(void);

/// False in a program with a sanitizer.
bool allocations_are_counted(void);

/// Microseconds of processor time that this thread has used.
double processor_microseconds(void);

/// Starts counting this thread's instructions outside the kernel; returns a descriptor to read them
/// from, or -1 if the machine cannot count them.
int instructions_begin(void);
uint64_t instructions_so_far(int descriptor);
