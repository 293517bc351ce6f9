# The loudness of ten minutes of speech: beside libebur128, and beside the cost of encoding them.
# Sourced by Benchmarks/run.

bench_loudness() {
  compiled cost
  compiled loudness-peer -lebur128 -lm
  compiled opus-peer -lopus -logg -lspeexdsp
  make_speech
  local sound channels round
  for sound in mono stereo; do
    [ $sound = mono ] && channels=1 || channels=2
    same_loudness "$cache/$sound.s16" $channels
    for ((round = 1; round <= long_rounds; round++)); do
      loudness_round "$round" "$cache/$sound.s16" $channels
    done
    summarise_costs loudness $sound us bytes
  done
}

# A peer that measures another loudness cannot be compared.
same_loudness() {  # file channels
  local ours_said theirs_said
  ours_said=$("$ours" loudness "$@")
  theirs_said=$("$cache/loudness-peer" "$@")
  awk -v a="$ours_said" -v b="$theirs_said" 'BEGIN { exit !(a - b < 0.11 && b - a < 0.11) }' ||
    { echo "loudness: $ours_said LUFS, and $theirs_said by libebur128" >&2; exit 70; }
}

loudness_round() {  # round file channels
  costs_of "$1" ours "${alone[@]}" "$ours" loudness "$2" "$3"
  costs_of "$1" libebur128 "${alone[@]}" "$cache/loudness-peer" "$2" "$3"
  costs_of "$1" encoding "${alone[@]}" "$cache/opus-peer" encode "$2" "$3" 10
}
