# Ten minutes of speech recorded, from the device to the file, at full speed: beside libopus alone,
# which is the lower limit, opusenc and ffmpeg. From 16 bits at 48 kHz, as libopus takes them; from
# 24 bits, which Reel passes on as floats; and at 44.1 kHz, which libspeexdsp converts. Sourced by
# Benchmarks/run.

# Two voices over a little noise, the same on every machine with the same packages.
make_speech() {
  [ ! -e "$cache/mono.s16" ] || return 0
  local texts=/usr/share/common-licenses work
  work=$(mktemp -d)
  espeak-ng -v en-us -s 165 -f "$texts/GPL-3" -w "$work/one.wav"
  espeak-ng -v en-gb+f3 -s 150 -f "$texts/GPL-2" -w "$work/two.wav"
  sox -R -n -r 48000 -b 16 -c 2 "$work/noise.wav" synth 600 pinknoise pinknoise vol 0.004
  for voice in one two; do
    sox -R "$work/$voice.wav" -r 48000 -b 16 "$work/$voice-48.wav" trim 0 600 gain -4
  done
  sox -R -M "$work/one-48.wav" "$work/two-48.wav" "$work/both.wav" remix 1v0.8,2v0.25 1v0.25,2v0.8
  sox -R -m -v 1 "$work/both.wav" -v 1 "$work/noise.wav" -b 16 -t raw "$cache/stereo.s16" trim 0 600
  sox -R -t raw -r 48000 -e signed -b 16 -c 2 "$cache/stereo.s16" -t raw "$cache/mono.s16" remix 1
  rm -r "$work"
}

bench_record() {
  compiled cost
  compiled opus-peer -lopus -logg -lspeexdsp
  make_speech
  local size sound channels bits rate complexity
  for size in mono/10 mono/5 stereo/10 stereo/5 mono-24/10 stereo-24/10 mono-44.1/10 stereo-44.1/10; do
    sound=${size%%[-/]*} complexity=${size##*/} bits=16 rate=48000
    [ "$sound" = mono ] && channels=1 || channels=2
    case "$size" in *-24/*) bits=24 ;; *-44.1/*) rate=44100 ;; esac
    record_size "$size" "$cache/$sound.s16" $channels $bits $rate "$complexity"
  done
}

record_size() {  # size plain channels bits rate complexity
  local round
  make_inputs "${@:2:4}"
  first_second $(($3 * $5 * ($4 == 16 ? 2 : 4))) record.raw
  first_second $(($3 * $5 * $4 / 8)) packed.raw
  first_second $(($3 * $5 * 2)) whole.raw
  for ((round = 1; round <= long_rounds; round++)); do record_round "$round" "${@:2}"; done
  summarise_costs record "$1" us bytes
  count_instructions "${@:2}" | summarise record instructions "$1"
  rm "$cache/record.raw" "$cache/packed.raw" "$cache/whole.raw"
}

lower_limit() { [ "$1" = 48000 ] && echo libopus || echo libopus+speexdsp; }  # rate

# The same sound for ours, for programs that read packed samples, and as 16 bits for libopus. The
# first is what the capture makes of what the device delivers: floats, if that has 24 bits.
make_inputs() {  # plain channels bits rate
  local from=(sox -R -t raw -r 48000 -e signed -b 16 -c "$2" "$1" -t raw -r "$4")
  # They may be links to the plain sound.
  rm -f "$cache/record.raw" "$cache/packed.raw" "$cache/whole.raw"
  ln -s "$1" "$cache/whole.raw"
  if [ "$3" = 24 ]; then
    "${from[@]}" -e float -b 32 "$cache/record.raw"
    "${from[@]}" -b 24 "$cache/packed.raw"
    return
  elif [ "$4" != 48000 ]; then
    rm "$cache/whole.raw"
    "${from[@]}" "$cache/whole.raw"
  fi
  ln -s whole.raw "$cache/record.raw"
  ln -s whole.raw "$cache/packed.raw"
}

count_instructions() {  # plain channels bits rate complexity
  local raw=$cache/minutes.raw frame=$(($2 * ($3 == 16 ? 2 : 4)))
  local minute=("$cache/record.raw" $((60 * $4 * frame))) whole=("$cache/whole.raw" $((120 * $4 * $2)))
  instructions_of "${minute[@]}" ours "$stripped" record "$raw" "${@:2}" "$cache/made.opus"
  instructions_of "${whole[@]}" "$(lower_limit "$4")" "$cache/opus-peer" encode "$raw" "$2" "$5" "$4"
}

record_round() {  # round plain channels bits rate complexity
  local made=$cache/made.opus
  take_costs_of "$1" ours "${alone[@]}" "$ours" record "$cache/record.raw" "${@:3}" "$made"
  take_costs_of "$1" "$(lower_limit "$5")" "${alone[@]}" "$cache/opus-peer" encode \
    "$cache/whole.raw" "$3" "$6" "$5"
  take_costs_of "$1" opusenc "${alone[@]}" opusenc --quiet --raw --raw-bits "$4" --raw-rate "$5" \
    --raw-chan "$3" --bitrate 64 --cvbr --comp "$6" "$cache/packed.raw" "$made"
  take_costs_of "$1" ffmpeg "${alone[@]}" ffmpeg -v error -y -f "s${4}le" -ar "$5" -ac "$3" \
    -i "$cache/packed.raw" -ar 48000 -c:a libopus -b:a 64k -vbr constrained -compression_level "$6" \
    "$made"
  rm "$made"
}
