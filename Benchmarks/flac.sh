# Ten minutes of speech recorded as FLAC, from the device to the file, at full speed: beside libFLAC
# alone, which writes nothing, and beside the least that a file of a take costs: it is written,
# synced, and has a hash. Eight channels are a quarter as long, so that there are as many samples as
# of two. Sourced by Benchmarks/run, like record.sh, whose sound it uses.

bench_flac() {
  compiled cost
  compiled flac-peer -lFLAC -lnettle -lm
  make_speech
  local size sound channels bits rate round
  for size in mono/16/48 stereo/24/48 stereo/24/96 eight/24/48; do
    IFS=/ read -r sound bits rate <<<"$size"
    rate=$((rate * 1000))
    case "$sound" in mono) channels=1 ;; stereo) channels=2 ;; eight) channels=8 ;; esac
    make_raw "$sound" $channels "$bits" $rate
    first_second $((channels * rate * (bits == 16 ? 2 : 4))) flac.raw
    for ((round = 1; round <= long_rounds; round++)); do
      flac_round "$round" $channels "$bits" $rate
    done
    summarise_costs flac "$size" us bytes
    count_flac_instructions $channels "$bits" $rate | summarise flac instructions "$size"
  done
}

# A device of more than 16 bits delivers floats.
make_raw() {  # sound channels bits rate
  local coding=(-e signed -b 16)
  [ "$3" = 16 ] || coding=(-e float -b 32)
  if [ "$1" = eight ]; then
    # Eight microphones in one room: each hears both voices, some louder than others.
    sox -R -t raw -r 48000 -e signed -b 16 -c 2 "$cache/stereo.s16" -t raw -r "$4" "${coding[@]}" \
      "$cache/flac.raw" trim 0 150 remix 1 2 1v0.8,2v0.1 1v0.1,2v0.8 1v0.5,2v0.4 1v0.4,2v0.5 \
      1v0.3,2v-0.2 1v0.1,2v0.3
    return
  fi
  sox -R -t raw -r 48000 -e signed -b 16 -c "$2" "$cache/$1.s16" -t raw -r "$4" "${coding[@]}" \
    "$cache/flac.raw"
}

flac_round() {  # round channels bits rate
  local made=$cache/made.flac
  take_costs_of "$1" ours "${alone[@]}" "$ours" flac "$cache/flac.raw" "$2" "$3" "$4" "$made"
  take_costs_of "$1" libflac "${alone[@]}" "$cache/flac-peer" "$cache/flac.raw" "$2" "$3" "$4"
  take_costs_of "$1" least "${alone[@]}" "$cache/flac-peer" "$cache/flac.raw" "$2" "$3" "$4" "$made"
  if [ "$3" = 16 ]; then
    take_costs_of "$1" flac "${alone[@]}" flac -s -f --force-raw-format --endian=little --sign=signed \
      --bps=16 --channels="$2" --sample-rate="$4" -o "$made" "$cache/flac.raw"
    take_costs_of "$1" ffmpeg "${alone[@]}" ffmpeg -v error -y -f s16le -ar "$4" -ac "$2" \
      -i "$cache/flac.raw" -c:a flac -compression_level 5 "$made"
  fi
  rm "$made"
}

count_flac_instructions() {  # channels bits rate
  local minute=("$cache/flac.raw" $((60 * $3 * $1 * ($2 == 16 ? 2 : 4)))) raw=$cache/minutes.raw
  instructions_of "${minute[@]}" ours "$stripped" flac "$raw" "$1" "$2" "$3" "$cache/made.flac"
  instructions_of "${minute[@]}" libflac "$cache/flac-peer" "$raw" "$1" "$2" "$3"
  instructions_of "${minute[@]}" least "$cache/flac-peer" "$raw" "$1" "$2" "$3" "$cache/made.flac"
}
