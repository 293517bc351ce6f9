// libFuzzer's own front door, for a program that has a main of its own. The library comes with the
// compiler; scripts/fuzz links it.
#pragma once
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*run)(const uint8_t *data, size_t size));
