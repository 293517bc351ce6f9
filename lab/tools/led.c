// A light of the board's own that comes and goes: /sys/class/leds/NAME is there while this runs.
// Every brightness that is set is written as a line. Runs on the board, started by scenarios.
//   lab-led NAME
#include <fcntl.h>
#include <linux/uleds.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **words) {
  if (count != 2) return 64;
  struct uleds_user_dev light = {.max_brightness = 255};
  strncpy(light.name, words[1], sizeof light.name - 1);
  int file = open("/dev/uleds", O_RDWR);
  if (file < 0 || write(file, &light, sizeof light) != sizeof light) {
    perror("led");
    return 1;
  }
  int brightness;
  while (read(file, &brightness, sizeof brightness) == sizeof brightness) {
    printf("%d\n", brightness);
    fflush(stdout);
  }
  return 1;
}
