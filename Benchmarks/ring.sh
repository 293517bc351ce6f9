# The ring between two threads, beside JACK's, PortAudio's and Boost's, and for single items beside
# moodycamel's ReaderWriterQueue. Sourced by Benchmarks/run.

bench_ring() {
  local peers=$cache/ring-peers
  if [ ! -e "$peers" ] || [ Benchmarks/ring-peers.cpp -nt "$peers" ]; then
    gcc -O3 -c "$cache/portaudio/pa_ringbuffer.c" -o "$cache/pa_ringbuffer.o"
    g++ -O3 -std=c++17 -I"$cache/portaudio" Benchmarks/ring-peers.cpp "$cache/pa_ringbuffer.o" \
      -ljack -lpthread -o "$peers"
  fi
  # Kind, size and count: each run takes about a tenth of a second. 1,920 bytes are 20 ms of 16 bits at
  # 48 kHz, 4,800 bytes 50 ms.
  ring_rounds bytes 4 8000000
  ring_rounds bytes 480 1000000
  ring_rounds bytes 960 600000
  ring_rounds bytes 1920 400000
  ring_rounds bytes 4096 200000
  ring_rounds bytes 4800 170000
  ring_rounds items 4 12000000
}

ring_rounds() {
  local round peer peers=(jack portaudio boost)
  [ "$1" = bytes ] || peers+=(moodycamel)
  for ((round = 1; round <= rounds; round++)); do
    echo "$round ours $("${undisturbed[@]}" "$ours" ring "$@")"
    for peer in "${peers[@]}"; do
      echo "$round $peer $("${undisturbed[@]}" "$cache/ring-peers" "$peer" "$@")"
    done
  done | summarise ring "$1/s" "$2"
}
