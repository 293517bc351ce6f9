# A minute recorded from a device that keeps real time, beside today's common ways, arecord piped
# into opusenc and into flac; beside libopus and libFLAC alone, which get the same minute from a
# file at once; beside the sum of libopus and an arecord that only reads, in periods of 20 ms; and
# beside the least that libopus costs in real time, live-peer.c: it wakes five times a second as
# Reel does, and each time finds its memory out of the caches. The device is paced-pcm.c: it costs
# what waiting and copying cost. It plays speech with a click each second, so that a lost frame
# shows in the recording. Instructions are counted in a round of their own, also in real time: cold
# caches and the kernel do not count there. Sourced by Benchmarks/run, like record.sh, whose sound
# it uses.

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
  live_size opus 16 48000 arecord+opusenc libopus libopus+arecord least
  live_size flac 16 48000 arecord+flac libflac
  live_size opus 24 48000 arecord+opusenc libopus
  live_size flac 24 48000 libflac
  live_size opus 16 44100 arecord+opusenc libopus+speexdsp
}

# The plugin, its sound in the forms of the programs, and a configuration of ALSA that has nothing
# else: the usual one may load a sound server's client into each program.
make_device() {
  local paced=$cache/paced device
  mkdir -p "$paced"
  compiled paced-pcm -shared -fPIC -DPIC -lasound
  { printf '\xff\x6f'; head -c 95998 /dev/zero; } >"$paced/click.s16"
  sox -R -m -v 0.4 -t raw -r 48000 -e signed -b 16 -c 1 "$cache/mono.s16" \
    -v 1 -t raw -r 48000 -e signed -b 16 -c 1 "|yes $paced/click.s16 | head -n $seconds | xargs cat" \
    -b 24 -t raw "$paced/24-48000.raw" trim 0 $seconds
  local from=(sox -R -t raw -r 48000 -e signed -b 24 -c 1 "$paced/24-48000.raw" -t raw)
  "${from[@]}" -b 16 "$paced/16-48000.raw"
  "${from[@]}" -b 16 -r 44100 "$paced/16-44100.raw"
  "${from[@]}" -e float -b 32 "$paced/float-48000.raw"
  first_second 96000 paced/16-48000.raw
  first_second 88200 paced/16-44100.raw
  first_second 192000 paced/float-48000.raw
  {
    echo "pcm_type.reelpaced { lib \"$cache/paced-pcm\" }"
    for device in 16-48000 24-48000 16-44100; do
      echo "pcm.paced-$device { type reelpaced file \"$paced/$device.raw\" rate ${device#*-}" \
        "channels 1 format $(sample_format "${device%-*}") }"
    done
  } >"$paced/asound.conf"
}

sample_format() { [ "$1" = 16 ] && echo S16_LE || echo S24_3LE; }  # bits

live_size() {  # opus|flac bits rate peer...
  local round clicks size=$1/$2
  [ "$3" = 48000 ] || size=$1/44.1
  for ((round = 1; round <= ${REEL_BENCH_ROUNDS:-1}; round++)); do
    # The start of a program is no part of a take.
    live_round us 1 "$cache/second" "$round" "$@"
    live_round us $seconds "$cache" "$round" "$@"
    # In a line of its own, so that a frame out of place ends the run.
    clicks=$("$ours" clicks "$cache/ours.$1")
    echo "live: $clicks clicks in their places in our $size" >&2
    echo "$round bar $((most_switches * seconds))" >>"$cache/switches"
  done
  sed -i '/ arecord /d' "$cache/us"
  # Only the pipes do the same work.
  sed -i '/ ours \|+opusenc \|+flac /!d' "$cache/bytes"
  sed -i '/ ours \| bar /!d' "$cache/switches"
  if grep -q + "$cache/bytes"; then
    summarise_costs live "$size" us bytes switches
  else
    summarise_costs live "$size" us switches
  fi
  live_round instructions 1 "$cache/second" 1 "$@"
  live_round instructions $seconds "$cache" 1 "$@"
  without_second instructions
  sed -i '/ arecord /d' "$cache/instructions"
  summarise live instructions "$size" <"$cache/instructions"
  rm "$cache/instructions"
}

# The directory has the sounds of so many seconds, and gets the costs.
live_round() {  # us|instructions seconds directory round opus|flac bits rate peer...
  local unit=$1 seconds=$2 directory=$3 round=$4 bits=$6 rate=$7 kind=$5 program=$ours peer
  [ "$kind" = opus ] || kind=flac$bits
  [ "$unit" = us ] || program=$stripped
  live_costs ours "$program" live "paced-$bits-$rate" "$seconds" "$rate" "$kind" "$cache/ours.$5"
  for peer in "${@:8}"; do live_peer "$peer"; done
}

# This and the next are called by live_round, and know what it was given.
live_costs() {  # peer program arguments...
  if [ "$unit" = us ]; then
    costs_into "$directory" "$round" "$@"
  else
    echo "$round $1 $(counted "${@:2}")" >>"$directory/instructions"
  fi
}

live_peer() {  # peer
  local device=paced-$bits-$rate plain=$directory/paced/16-$rate.raw
  local read="arecord -q -D $device -f $(sample_format "$bits") -r $rate -c 1 -d $seconds -t raw"
  case "$1" in
    arecord+opusenc)
      live_costs "$1" sh -c "$read | opusenc --quiet --raw --raw-bits $bits --raw-rate $rate \
        --raw-chan 1 --bitrate 64 --cvbr - '$cache/theirs.opus'" ;;
    arecord+flac)
      live_costs "$1" sh -c "$read | flac -s -f --force-raw-format --endian=little --sign=signed \
        --bps=$bits --channels=1 --sample-rate=$rate -o '$cache/theirs.flac' -" ;;
    libopus+arecord)
      live_costs arecord $read --period-size=960 --buffer-size=48000 "$cache/theirs.raw"
      awk -v "round=$round" '$1 == round && $2 ~ /^(libopus|arecord)$/ { sum += $3 }
        END { printf "%d libopus+arecord %.0f\n", round, sum }' "$directory/$unit" >"$cache/sum"
      cat "$cache/sum" >>"$directory/$unit" ;;
    libopus | libopus+speexdsp)
      live_costs "$1" "$cache/opus-peer" encode "$plain" 1 10 "$rate" ;;
    least) live_costs "$1" "$cache/live-peer" "$device" "$seconds" "$cache/theirs.raw" ;;
    libflac)
      [ "$bits" = 16 ] || plain=$directory/paced/float-$rate.raw
      live_costs "$1" "$cache/flac-peer" "$plain" 1 "$bits" "$rate" ;;
  esac
}
