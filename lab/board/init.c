// The first program of an emulated board: loads the modules that its disk needs, in the order that
// make-board wrote down, mounts it and hands over to systemd on it. What Debian makes for this
// works on any machine, and takes longer than all the rest of a start here.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void fail(const char *what) {
  perror(what);
  sleep(5);
  _exit(1);  // the kernel panics, and the machine goes off
}

static void load(const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) fail(path);
  // Some are for what only some processors can.
  if (syscall(SYS_finit_module, file, "", 0) < 0 && errno != EEXIST && errno != ENODEV) fail(path);
  close(file);
}

static void loadAll(void) {
  FILE *list = fopen("/modules", "r");
  char path[256];
  if (!list) fail("/modules");
  while (fgets(path, sizeof path, list)) {
    path[strcspn(path, "\n")] = 0;
    load(path);
  }
  fclose(list);
}

int main(void) {
  mkdir("/dev", 0755);
  mkdir("/disk", 0755);
  if (mount("dev", "/dev", "devtmpfs", 0, "") < 0) fail("/dev");
  int console = open("/dev/console", O_RDWR);
  for (int file = 0; file < 3; file++) dup2(console, file);
  loadAll();
  for (int tries = 0; access("/dev/vda", F_OK) < 0 && tries < 500; tries++) usleep(20000);
  if (mount("/dev/vda", "/disk", "ext4", 0, "errors=remount-ro") < 0) fail("/dev/vda");
  if (mount("/dev", "/disk/dev", NULL, MS_MOVE, NULL) < 0) fail("/disk/dev");
  if (chdir("/disk") < 0 || mount(".", "/", NULL, MS_MOVE, NULL) < 0 || chroot(".") < 0)
    fail("/disk");
  execl("/sbin/init", "/sbin/init", (char *)0);
  fail("/sbin/init");
}
