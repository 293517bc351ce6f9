# Ten minutes of speech decoded to 16 bits: beside libopus alone, opusdec, ffmpeg and libsndfile. The
# peers write theirs to /dev/null. Sourced by Benchmarks/run.

bench_decode() {
  compiled cost
  compiled opus-peer -lopus -logg -lspeexdsp
  make_speech
  local sound channels round from
  for sound in mono stereo; do
    [ $sound = mono ] && channels=1 || channels=2
    first_second $((96000 * channels)) $sound.s16
    for from in "" second/; do
      "$ours" record "$cache/$from$sound.s16" $channels 16 48000 10 "$cache/$from$sound.opus" \
        >/dev/null
    done
    for ((round = 1; round <= long_rounds; round++)); do
      decode_round "$round" "$cache/$sound.opus" $channels
    done
    summarise_costs decode $sound us bytes
  done
}

decode_round() {  # round file channels
  take_costs_of "$1" ours "${alone[@]}" "$ours" decode "$2"
  take_costs_of "$1" libopus "${alone[@]}" "$cache/opus-peer" decode "$2" "$3"
  take_costs_of "$1" opusdec "${alone[@]}" opusdec --quiet --no-dither "$2" /dev/null
  take_costs_of "$1" ffmpeg "${alone[@]}" ffmpeg -v error -y -c:a libopus -i "$2" -f s16le /dev/null
  take_costs_of "$1" sndfile "${alone[@]}" sndfile-convert -pcm16 "$2" "$cache/made.wav"
  rm "$cache/made.wav"
}
