# The daemon as a service without requests: from exec to READY=1, the wake-ups of its threads in a
# minute, and its memory, with 100,000 recordings on the card beside 10. Armed it listens for the
# pre-roll, disarmed it does not; there the figure beside ours is the bar. Sourced by
# Benchmarks/run.

bench_service() {
  local round size seconds=60
  compiled service
  swift build -c release --product reeld --static-swift-stdlib >&2
  service_root 100000 100
  service_root 10 1
  for ((round = 1; round <= rounds; round++)); do
    service 100000 true 0 | awk -v round="$round" '{ print round, "ours", $2 }'
    service 10 true 0 | awk -v round="$round" '{ print round, "with-10", $2 }'
  done | summarise service ns start-100000
  {
    service_instructions 100000 ours
    service_instructions 10 with-10
  } | summarise service instructions start-100000
  service 100000 true $seconds >"$cache/armed"
  service 10 true $seconds >"$cache/armed-10"
  service 100000 false $seconds >"$cache/disarmed"
  # Its periods are 20 ms long; two more wake-ups a second are for everything else.
  service_beside armed switches $((52 * seconds)) | summarise service wake-ups armed-${seconds}s
  service_beside disarmed switches $seconds | summarise service wake-ups disarmed-${seconds}s
  {
    service_beside armed resident $((24 << 20))
    awk '$1 == "resident" { print 1, "with-10", $2 }' "$cache/armed-10"
  } | summarise service bytes armed-100000
}

service_beside() {  # run unit bar
  awk -v unit="$2" -v bar="$3" '$1 == unit { print 1, "ours", $2; print 1, "bar", bar }' "$cache/$1"
}

service() {  # recordings armed seconds
  local root=$cache/service-$1
  echo "{ armed: $2 }" >"$root/etc/reel.json"
  "$cache/service" "$3" "$(dirname "$ours")/reeld" --virtual --headless --mic silence \
    --speaker none --root "$root"
}

# Counts the main thread's instructions from its first to READY=1, and its stop: another thread
# reads the card, which must not delay this one.
service_instructions() {  # recordings peer
  local root=$cache/service-$1 counted=$cache/callgrind.out
  rm -f "$counted"*
  strip --strip-debug -o "$cache/reeld" "$(dirname "$ours")/reeld"
  "$cache/service" 0 valgrind -q --tool=callgrind --separate-threads=yes \
    --callgrind-out-file="$counted" "$cache/reeld" --virtual --headless --mic silence \
    --speaker none --root "$root" >/dev/null
  awk -v peer="$2" '$1 == "totals:" { print 1, peer, $2 }' "$counted-01"
}

service_root() {  # recordings folders
  local root=$cache/service-$1
  [ ! -e "$root/recordings/folder.journal" ] || return 0
  rm -rf "$root" && mkdir -p "$root/etc" "$root/recordings"
  "$ours" store fill "$root/recordings" "$1" "$2" >/dev/null
}
