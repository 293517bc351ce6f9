# Recordings sent to Apache's WebDAV on this machine, read back and compared: what reel-link does
# while they wait for it, beside curl with sha256sum, and rclone with its own comparison. The server
# is not counted. Sourced by Benchmarks/run.

bench_copies() {
  local count=20 round
  compiled cost
  swift build -c release --product reeld --static-swift-stdlib >&2
  swift build -c release --product reelctl --static-swift-stdlib >&2
  swift build -c release --product reel-link --static-swift-stdlib >&2
  rm -rf "$cache/copies"
  mkdir -p "$cache/copies/box/etc" "$cache/copies/box/recordings" "$cache/copies/dav"
  echo '{ armed: false }' >"$cache/copies/box/etc/reel.json"
  copies_recordings $count
  trap copies_end EXIT
  copies_start
  for ((round = 1; round <= long_rounds; round++)); do
    copies_ours $round $count
    costs_of $round curl+sha256sum sh -euc "$copies_by_curl" copies "$cache/copies" "$copies_url" $round
    costs_of $round rclone sh -euc "$copies_by_rclone" copies "$cache/copies" "$copies_url" $round
  done
  summarise_costs copies "${count}x2.4MB" us bytes
  copies_end
  # What it ends is gone: it would fail, and with it the whole run.
  trap - EXIT
}

# Noise, so that nothing is twice and nothing can be pressed smaller.
copies_recordings() {  # count
  local number
  for ((number = 1; number <= $1; number++)); do
    head -c 28800000 /dev/urandom | opusenc --quiet --raw --raw-rate 48000 --raw-chan 1 --bitrate 64 \
      --comp 0 - "$cache/copies/box/recordings/Take $number.opus"
  done
}

copies_start() {
  local at=$cache/copies
  chmod 777 "$at" "$at/dav"
  {
    printf 'LoadModule %s_module /usr/lib/apache2/modules/mod_%s.so\n' \
      mpm_event mpm_event authz_core authz_core dav dav dav_fs dav_fs
    [ "$(id -u)" != 0 ] || printf 'User www-data\nGroup www-data\n'
    printf '%s\n' 'ServerName localhost' 'Listen 127.0.0.1:18080' "PidFile $at/pid" \
      "ErrorLog $at/errors" "DefaultRuntimeDir $at" "DavLockDB $at/locks" "DocumentRoot $at/dav" \
      "<Directory $at/dav>" 'Dav On' 'Require all granted' '</Directory>'
  } >"$at/apache.conf"
  copies_url=http://127.0.0.1:18080
  /usr/sbin/apache2 -X -f "$at/apache.conf" &
  copies_server=$!
  "$(dirname "$ours")/reeld" --virtual --headless --root "$at/box" >/dev/null 2>&1 &
  copies_recorder=$!
  export REEL_SOCKET=$at/box/run/control.sock
  until copies_ctl status >/dev/null 2>&1 && curl -s -o /dev/null "$copies_url/"; do sleep 0.2; done
}

copies_end() { kill "$copies_server" "$copies_recorder" 2>/dev/null || true; }

copies_ctl() { "$(dirname "$ours")/reelctl" "$@"; }

# A new target each round, so that everything is lacking there. The watch that waits for the last
# copy is not counted.
copies_ours() {  # round count
  local at=$cache/copies name=round-$1 used counting
  printf '{ targets: [{ name: "%s", kind: "webdav", url: "%s", prefix: "ours-%s", texts: false }] }\n' \
    "$name" "$copies_url" "$1" >"$at/link.json"
  "$cache/cost" "$(dirname "$ours")/reel-link" --socket "$REEL_SOCKET" --config "$at/link.json" \
    --state "$at/state-$1" >"$at/used" &
  counting=$!
  until [ "$(copies_ctl copies --target "$name" --of held --json 2>/dev/null |
    grep -o '"state":"verified"' | wc -l)" -ge "$2" ]; do sleep 0.5; done
  pkill -TERM -P $counting
  wait $counting
  read -r -a used <"$at/used"
  echo "$1 ours ${used[0]}" >>"$cache/us"
  echo "$1 ours ${used[1]}" >>"$cache/bytes"
}

# The words: the folder, the server's address, the round.
copies_by_curl='
  cd "$1/box/recordings"
  sha256sum *.opus >"$1/sums"
  curl -sS --fail -X MKCOL "$2/curl-$3" >/dev/null
  rm -rf "$1/back" && mkdir "$1/back"
  for name in *.opus; do
    printf "upload-file = \"%s\"\nurl = \"%s/curl-%s/%s\"\n" "$name" "$2" "$3" "${name% *}%20${name#* }"
  done | curl -sS --fail -K - >/dev/null
  for name in *.opus; do
    printf "output = \"%s/back/%s\"\nurl = \"%s/curl-%s/%s\"\n" \
      "$1" "$name" "$2" "$3" "${name% *}%20${name#* }"
  done | curl -sS --fail -K -
  cd "$1/back" && sha256sum --quiet -c "$1/sums"'
copies_by_rclone='
  set -- "$1" ":webdav,url=\"$2\",vendor=other:rclone-$3"
  rclone -q copy --transfers 1 --include "*.opus" "$1/box/recordings" "$2"
  rclone -q check --transfers 1 --checkers 1 --download --one-way --include "*.opus" \
    "$1/box/recordings" "$2"'
