// Calls of the kernel and the C library that Swift's Glibc does not show. Only the target Library
// imports this.
#pragma once

#include <malloc.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

// Renames unless there is something of the new name: -1 and EEXIST then, -1 and EINVAL where the
// file system cannot promise that.
static inline int reel_rename_no_replace(int from_directory, const char *from, int to_directory,
                                         const char *to) {
  return (int)syscall(SYS_renameat2, from_directory, from, to_directory, to, 1 /* NOREPLACE */);
}

// What kind of file system a descriptor is on, by the kernel's number for it; 0 when it won't say.
static inline long reel_file_system_kind(int descriptor) {
  struct statfs about;
  return fstatfs(descriptor, &about) == 0 ? (long)about.f_type : 0;
}

// What the allocator holds and nobody uses goes back to the kernel.
static inline void reel_give_back_memory(void) { malloc_trim(0); }

// Writes everything of the file system that a descriptor is on.
static inline int reel_sync_file_system(int descriptor) {
  return (int)syscall(SYS_syncfs, descriptor);
}
