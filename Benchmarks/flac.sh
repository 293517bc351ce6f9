# Ten minutes of speech recorded as FLAC, from the device to the file, at full speed: beside libFLAC
# alone, which is the lower limit, and with the hash that every file of a take has. Sourced by
# Benchmarks/run, like record.sh, whose sound it uses.

bench_flac() {
  compiled cost
  compiled flac-peer -lFLAC -lnettle -lm
  make_speech
  local size sound channels bits rate round
  for size in mono/16/48 stereo/24/48 stereo/24/96; do
    IFS=/ read -r sound bits rate <<<"$size"
    rate=$((rate * 1000))
    [ "$sound" = mono ] && channels=1 || channels=2
    make_raw "$sound" $channels "$bits" $rate
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
  sox -R -t raw -r 48000 -e signed -b 16 -c "$2" "$cache/$1.s16" -t raw -r "$4" "${coding[@]}" \
    "$cache/flac.raw"
}

flac_round() {  # round channels bits rate
  local made=$cache/made.flac
  costs_of "$1" ours "${alone[@]}" "$ours" flac "$cache/flac.raw" "$2" "$3" "$4" "$made"
  costs_of "$1" libflac "${alone[@]}" "$cache/flac-peer" "$cache/flac.raw" "$2" "$3" "$4"
  costs_of "$1" libflac+sha256 "${alone[@]}" "$cache/flac-peer" "$cache/flac.raw" "$2" "$3" "$4" hash
  if [ "$3" = 16 ]; then
    costs_of "$1" flac "${alone[@]}" flac -s -f --force-raw-format --endian=little --sign=signed \
      --bps=16 --channels="$2" --sample-rate="$4" -o "$made" "$cache/flac.raw"
    costs_of "$1" ffmpeg "${alone[@]}" ffmpeg -v error -y -f s16le -ar "$4" -ac "$2" \
      -i "$cache/flac.raw" -c:a flac -compression_level 5 "$made"
  fi
  rm "$made"
}

count_flac_instructions() {  # channels bits rate
  local minute=("$cache/flac.raw" $((60 * $3 * $1 * ($2 == 16 ? 2 : 4)))) raw=$cache/minutes.raw
  strip -o "$cache/ours-stripped" "$ours"
  instructions_of "${minute[@]}" ours "$cache/ours-stripped" flac "$raw" "$1" "$2" "$3" "$cache/made.flac"
  instructions_of "${minute[@]}" libflac "$cache/flac-peer" "$raw" "$1" "$2" "$3"
  instructions_of "${minute[@]}" libflac+sha256 "$cache/flac-peer" "$raw" "$1" "$2" "$3" hash
}
