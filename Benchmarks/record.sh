# Ten minutes of speech recorded, from the device to the file, at full speed: beside libopus alone,
# which is the lower limit, opusenc and ffmpeg. Sourced by Benchmarks/run.

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
  compiled opus-peer -lopus -logg
  make_speech
  local sound channels complexity round
  for sound in mono stereo; do
    [ $sound = mono ] && channels=1 || channels=2
    for complexity in 10 5; do
      for ((round = 1; round <= long_rounds; round++)); do
        record_round "$round" "$cache/$sound.s16" $channels $complexity
      done
      summarise_costs record "$sound/$complexity" us bytes
      count_instructions "$cache/$sound.s16" $channels $complexity |
        summarise record instructions "$sound/$complexity"
    done
  done
}

count_instructions() {  # file channels complexity
  local minute=("$1" $((60 * 96000 * $2))) raw=$cache/minutes.raw
  # Debug information is of no use here, and too new for some readers.
  strip -o "$cache/ours-stripped" "$ours"
  instructions_of "${minute[@]}" ours "$cache/ours-stripped" record "$raw" "$2" "$3" "$cache/made.opus"
  instructions_of "${minute[@]}" libopus "$cache/opus-peer" encode "$raw" "$2" "$3"
}

record_round() {  # round file channels complexity
  local made=$cache/made.opus
  costs_of "$1" ours "${alone[@]}" "$ours" record "$2" "$3" "$4" "$made"
  costs_of "$1" libopus "${alone[@]}" "$cache/opus-peer" encode "$2" "$3" "$4"
  costs_of "$1" opusenc "${alone[@]}" opusenc --quiet --raw --raw-rate 48000 --raw-chan "$3" --bitrate 64 \
    --cvbr --comp "$4" "$2" "$made"
  costs_of "$1" ffmpeg "${alone[@]}" ffmpeg -v error -y -f s16le -ar 48000 -ac "$3" -i "$2" -c:a libopus \
    -b:a 64k -vbr constrained -compression_level "$4" "$made"
  rm "$made"
}
