# A minute recorded from a device that keeps real time, beside today's common ways, arecord piped
# into opusenc and into flac; beside libopus and libFLAC alone, which get the same minute from a
# file at once; beside the sum of libopus and an arecord that only reads, in periods of 20 ms; and
# beside the least that libopus costs in real time, live-peer.c: it wakes five times a second as
# Reel does, and each time finds its memory out of the caches. The device is paced-pcm.c: it costs
# what waiting and copying cost. It plays speech with a click each second, so that a lost frame
# shows in the recording. Sourced by Benchmarks/run, like record.sh, whose sound it uses.

# Switches of all of Reel's threads, a second: one for each period of 20 ms, and twelve.
most_switches=62

bench_live() {
  local seconds=60
  compiled cost
  compiled opus-peer -lopus -logg -lspeexdsp
  compiled flac-peer -lFLAC -lnettle -lm
  compiled live-peer -lopus -lasound
  make_speech
  make_device
  local -x ALSA_CONFIG_PATH=$cache/paced/asound.conf
  live_size opus 16 S16_LE arecord+opusenc libopus libopus+arecord least
  live_size flac 16 S16_LE arecord+flac libflac
  live_size opus 24 S24_3LE arecord+opusenc libopus
  live_size flac 24 S24_3LE libflac
}

# The plugin, its sound in the forms of the programs, and a configuration of ALSA that has nothing
# else: the usual one may load a sound server's client into each program.
make_device() {
  local paced=$cache/paced bits
  mkdir -p "$paced"
  compiled paced-pcm -shared -fPIC -DPIC -lasound
  { printf '\xff\x6f'; head -c 95998 /dev/zero; } >"$paced/click.s16"
  sox -R -m -v 0.4 -t raw -r 48000 -e signed -b 16 -c 1 "$cache/mono.s16" \
    -v 1 -t raw -r 48000 -e signed -b 16 -c 1 "|yes $paced/click.s16 | head -n $seconds | xargs cat" \
    -b 24 -t raw "$paced/minute-24.raw" trim 0 $seconds
  local from=(sox -R -t raw -r 48000 -e signed -b 24 -c 1 "$paced/minute-24.raw" -t raw)
  "${from[@]}" -b 16 "$paced/minute-16.raw"
  "${from[@]}" -e float -b 32 "$paced/minute-float.raw"
  first_second 96000 paced/minute-16.raw
  first_second 192000 paced/minute-float.raw
  {
    echo "pcm_type.reelpaced { lib \"$cache/paced-pcm\" }"
    for bits in 16/S16_LE 24/S24_3LE; do
      echo "pcm.paced${bits%/*} { type reelpaced file \"$paced/minute-${bits%/*}.raw\" rate 48000" \
        "channels 1 format ${bits#*/} }"
    done
  } >"$paced/asound.conf"
}

live_size() {  # opus|flac bits format peer...
  local round clicks
  for ((round = 1; round <= ${REEL_BENCH_ROUNDS:-1}; round++)); do
    # The start of a program is no part of a take.
    live_round 1 "$cache/second" "$round" "$@"
    live_round $seconds "$cache" "$round" "$@"
    # In a line of its own, so that a frame out of place ends the run.
    clicks=$("$ours" clicks "$cache/ours.$1")
    echo "live: $clicks clicks in their places in our $1/$2" >&2
    echo "$round bar $((most_switches * seconds))" >>"$cache/switches"
  done
  sed -i '/ arecord /d' "$cache/us"
  # Only the pipes do the same work.
  sed -i '/ ours \|+opusenc \|+flac /!d' "$cache/bytes"
  sed -i '/ ours \| bar /!d' "$cache/switches"
  if grep -q + "$cache/bytes"; then
    summarise_costs live "$1/$2" us bytes switches
  else
    summarise_costs live "$1/$2" us switches
  fi
}

# The directory has the sounds of so many seconds, and gets the costs.
live_round() {  # seconds directory round opus|flac bits format peer...
  local seconds=$1 directory=$2 kind=$4 peer
  [ "$4" = opus ] || kind=flac$5
  live_costs "$3" ours "$ours" live "paced$5" "$1" "$kind" "$cache/ours.$4"
  for peer in "${@:7}"; do live_peer "$3" "$peer" "$5" "$6"; done
}

# Both are called by live_round, with its seconds and directory.
live_costs() { costs_into "$directory" "$@"; }  # round peer program arguments...

live_peer() {  # round peer bits format
  local read="arecord -q -D paced$3 -f $4 -r 48000 -c 1 -d $seconds -t raw"
  case "$2" in
    arecord+opusenc)
      live_costs "$1" "$2" sh -c "$read | opusenc --quiet --raw --raw-bits $3 --raw-rate 48000 \
        --raw-chan 1 --bitrate 64 --cvbr - '$cache/theirs.opus'" ;;
    arecord+flac)
      live_costs "$1" "$2" sh -c "$read | flac -s -f --force-raw-format --endian=little --sign=signed \
        --bps=$3 --channels=1 --sample-rate=48000 -o '$cache/theirs.flac' -" ;;
    libopus+arecord)
      live_costs "$1" arecord $read --period-size=960 --buffer-size=48000 "$cache/theirs.raw"
      awk -v "round=$1" '$1 == round && $2 ~ /^(libopus|arecord)$/ { sum += $3 }
        END { print round, "libopus+arecord", sum }' "$directory/us" >"$cache/sum"
      cat "$cache/sum" >>"$directory/us" ;;
    libopus)
      live_costs "$1" "$2" "$cache/opus-peer" encode "$directory/paced/minute-16.raw" 1 10 ;;
    least) live_costs "$1" "$2" "$cache/live-peer" "paced$3" $seconds "$cache/theirs.raw" ;;
    libflac)
      local plain=$directory/paced/minute-16.raw
      [ "$3" = 16 ] || plain=$directory/paced/minute-float.raw
      live_costs "$1" "$2" "$cache/flac-peer" "$plain" 1 "$3" 48000 ;;
  esac
}
