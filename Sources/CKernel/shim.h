// Calls of the kernel and the C library that Swift's Glibc does not import. Only the target Library
// imports this.
#pragma once

#include <fcntl.h>
#include <linux/openat2.h>
#include <malloc.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

// Renames, but never replaces: -1 and EEXIST if the new name exists, -1 and EINVAL if the file
// system cannot promise that.
static inline int reel_rename_no_replace(int from_directory, const char *from, int to_directory,
                                         const char *to) {
  return (int)syscall(SYS_renameat2, from_directory, from, to_directory, to, 1 /* NOREPLACE */);
}

// Opens a directory below another; fails if the path leaves it or contains a link. -1 and ENOSYS if
// the kernel has no openat2; a sandbox that refuses it may return another errno.
static inline int reel_open_directory_beneath(int directory, const char *path) {
  struct open_how how;
  memset(&how, 0, sizeof how);
  how.flags = __O_PATH | O_DIRECTORY | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

// Opens a directory only to reach its entries (O_PATH, which glibc defines for _GNU_SOURCE only).
static inline int reel_open_directory_path(int directory, const char *name) {
  return openat(directory, name, __O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// Returns the kernel's number for the kind of file system a descriptor is on; 0 if it is unknown.
static inline long reel_file_system_kind(int descriptor) {
  struct statfs about;
  return fstatfs(descriptor, &about) == 0 ? (long)about.f_type : 0;
}

// Returns memory that the allocator holds unused to the kernel.
static inline void reel_give_back_memory(void) { malloc_trim(0); }

// Syncs the whole file system that a descriptor is on.
static inline int reel_sync_file_system(int descriptor) {
  return (int)syscall(SYS_syncfs, descriptor);
}
