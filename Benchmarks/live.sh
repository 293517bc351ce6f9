# A minute recorded from a device that keeps real time, beside today's common way, arecord piped into
# opusenc; beside arecord that only reads, in periods of 20 ms as Reel does; and beside libopus alone,
# which gets the same minute from a file at once. The device is a sound server in user space that plays
# clicks a second apart, so that a lost frame shows in the recording. Sourced by Benchmarks/run.

bench_live() {
  local seconds=60 round at
  compiled cost
  compiled opus-peer -lopus -logg
  Tests/support/paced-device start "$cache/device"
  trap 'kill "$player" 2>/dev/null; Tests/support/paced-device stop "$cache/device"' EXIT
  export ALSA_CONFIG_PATH=$cache/device/asound.conf
  { printf '\xff\x6f'; head -c 95998 /dev/zero; } >"$cache/second.s16"
  for ((at = 0; at < seconds; at++)); do cat "$cache/second.s16"; done >"$cache/minutes.raw"
  while cat "$cache/second.s16"; do :; done 2>/dev/null |
    aplay -q -D vmic_in -t raw -f S16_LE -r 48000 -c 1 2>/dev/null &
  player=$!
  sleep 2
  for ((round = 1; round <= ${REEL_BENCH_ROUNDS:-1}; round++)); do
    costs_of "$round" ours "$ours" live vmic $seconds "$cache/ours.opus"
    costs_of "$round" arecord+opusenc sh -c "arecord -q -D vmic -f S16_LE -r 48000 -c 1 \
      -d $seconds -t raw | opusenc --quiet --raw --raw-rate 48000 --raw-chan 1 --bitrate 64 --cvbr \
      - '$cache/theirs.opus'"
    costs_of "$round" arecord-20ms arecord -q -D vmic -f S16_LE -r 48000 -c 1 -d $seconds -t raw \
      --period-size=960 --buffer-size=9600 "$cache/theirs.raw"
    costs_of "$round" libopus "$cache/opus-peer" encode "$cache/minutes.raw" 1 10
    echo "live: $("$ours" clicks "$cache/ours.opus") clicks in their places in ours," \
      "$("$ours" clicks "$cache/theirs.opus") in theirs" >&2
  done
  # It has neither a device nor threads.
  sed -i '/ libopus /d' "$cache/bytes" "$cache/switches"
  summarise_costs live ${seconds}s us bytes switches
  kill "$player" 2>/dev/null || true
  Tests/support/paced-device stop "$cache/device"
  # What it ends is gone: it would fail, and with it the whole run.
  trap - EXIT
}
