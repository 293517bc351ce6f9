// Preloaded into a program under test (LD_PRELOAD), writes a line for each call that may have to
// wait for a file system: which thread made it, the call, and the path. REEL_CALLS names the file.
//
//   main openat BOX/state.json.new
//   reel-files fsync BOX/state.json.new
//
// Only calls that the program makes of the C library are seen, not those within it. It allocates
// nothing and keeps errno.
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static int calls = -1;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("REEL_CALLS");
  if (path) {
    calls = (int)syscall(
        SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  }
}

static void note(const char *call, const char *path) {
  if (calls < 0) return;
  int saved = errno;
  char thread[16] = "main";
  if (syscall(SYS_gettid) != getpid()) prctl(PR_GET_NAME, thread);
  char line[PATH_MAX + 64];
  int count = snprintf(line, sizeof line, "%s %s %s\n", thread, call, path ? path : "");
  if (count > (int)sizeof line - 1) count = (int)sizeof line - 1;
  syscall(SYS_write, calls, line, (size_t)count);
  errno = saved;
}

static const char *path_of(int descriptor, char *buffer) {
  char name[32];
  int saved = errno;
  snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
  long count = syscall(SYS_readlinkat, AT_FDCWD, name, buffer, PATH_MAX - 1);
  buffer[count < 0 ? 0 : count] = 0;
  errno = saved;
  return buffer;
}

// The path as the program sees it: after its directory, unless it is absolute.
static void note_at(const char *call, int directory, const char *path) {
  char whole[2 * PATH_MAX + 2];
  char base[PATH_MAX] = "";
  if (path && path[0] != '/' && directory != AT_FDCWD) path_of(directory, base);
  snprintf(whole, sizeof whole, "%s%s%s", base, base[0] ? "/" : "", path ? path : "");
  note(call, whole);
}

static void note_descriptor(const char *call, int descriptor) {
  char path[PATH_MAX];
  note(call, path_of(descriptor, path));
}

// A read or write may wait only for a file: pipes, sockets and terminals are non-blocking, or
// polled before.
static void note_transfer(const char *call, int descriptor) {
  if (calls < 0) return;
  struct stat status;
  int saved = errno;
  int result = (int)syscall(SYS_newfstatat, descriptor, "", &status, AT_EMPTY_PATH);
  errno = saved;
  if (result == 0 && S_ISREG(status.st_mode)) note_descriptor(call, descriptor);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static mode_t mode_of(int flags, va_list arguments) {
  return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

#define OPEN(name)                            \
  int name(const char *path, int flags, ...) { \
    va_list more;                             \
    va_start(more, flags);                    \
    mode_t mode = mode_of(flags, more);       \
    va_end(more);                             \
    note(#name, path);                        \
    return REAL(name)(path, flags, mode);     \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                         \
  int name(int directory, const char *path, int flags, ...) { \
    va_list more;                                            \
    va_start(more, flags);                                   \
    mode_t mode = mode_of(flags, more);                      \
    va_end(more);                                            \
    note_at(#name, directory, path);                         \
    return REAL(name)(directory, path, flags, mode);         \
  }
OPENAT(openat)
OPENAT(openat64)

#define PATH(type, name, arguments, values) \
  type name arguments {                     \
    note(#name, path);                      \
    return REAL(name) values;               \
  }
PATH(int, unlink, (const char *path), (path))
PATH(int, rmdir, (const char *path), (path))
PATH(int, mkdir, (const char *path, mode_t mode), (path, mode))
PATH(int, access, (const char *path, int mode), (path, mode))
PATH(int, stat, (const char *path, struct stat *status), (path, status))
PATH(int, lstat, (const char *path, struct stat *status), (path, status))
PATH(int, statfs, (const char *path, struct statfs *status), (path, status))
PATH(int, statvfs, (const char *path, struct statvfs *status), (path, status))
PATH(int, truncate, (const char *path, off_t length), (path, length))
PATH(int, chmod, (const char *path, mode_t mode), (path, mode))
PATH(int, chown, (const char *path, uid_t user, gid_t group), (path, user, group))
PATH(int, rename, (const char *path, const char *target), (path, target))
PATH(int, link, (const char *path, const char *target), (path, target))
PATH(DIR *, opendir, (const char *path), (path))
PATH(char *, realpath, (const char *path, char *resolved), (path, resolved))

#define AT(name, arguments, values)    \
  int name arguments {                 \
    note_at(#name, directory, path);   \
    return REAL(name) values;          \
  }
AT(unlinkat, (int directory, const char *path, int flags), (directory, path, flags))
AT(mkdirat, (int directory, const char *path, mode_t mode), (directory, path, mode))
AT(faccessat, (int directory, const char *path, int mode, int flags),
   (directory, path, mode, flags))
AT(fstatat, (int directory, const char *path, struct stat *status, int flags),
   (directory, path, status, flags))
AT(renameat, (int directory, const char *path, int other, const char *target),
   (directory, path, other, target))
AT(renameat2,
   (int directory, const char *path, int other, const char *target, unsigned int flags),
   (directory, path, other, target, flags))

#define DESCRIPTOR(type, name, kind, arguments, values) \
  type name arguments {                                 \
    kind(#name, file);                                  \
    return REAL(name) values;                           \
  }
DESCRIPTOR(int, fsync, note_descriptor, (int file), (file))
DESCRIPTOR(int, fdatasync, note_descriptor, (int file), (file))
DESCRIPTOR(int, syncfs, note_descriptor, (int file), (file))
DESCRIPTOR(int, fstat, note_transfer, (int file, struct stat *status), (file, status))
DESCRIPTOR(int, fstatfs, note_transfer, (int file, struct statfs *status), (file, status))
DESCRIPTOR(int, ftruncate, note_transfer, (int file, off_t length), (file, length))
DESCRIPTOR(int, flock, note_transfer, (int file, int operation), (file, operation))
DESCRIPTOR(int, posix_fallocate, note_transfer, (int file, off_t offset, off_t length),
           (file, offset, length))
DESCRIPTOR(ssize_t, read, note_transfer, (int file, void *bytes, size_t count),
           (file, bytes, count))
DESCRIPTOR(ssize_t, write, note_transfer, (int file, const void *bytes, size_t count),
           (file, bytes, count))
DESCRIPTOR(ssize_t, pread, note_transfer, (int file, void *bytes, size_t count, off_t offset),
           (file, bytes, count, offset))
DESCRIPTOR(ssize_t, pwrite, note_transfer,
           (int file, const void *bytes, size_t count, off_t offset),
           (file, bytes, count, offset))

int connect(int socket, const struct sockaddr *address, socklen_t length) {
  note_descriptor("connect", socket);
  return REAL(connect)(socket, address, length);
}
