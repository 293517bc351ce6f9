# The folder store: the bytes of a change in a folder of 10,000 items beside one of 10; and how long
# opening a card of 100,000 recordings and listing a folder of 10,000 take beside plainly reading
# the same index files, all from memory; for listing also the worst case, with the longest journal.
# Sourced by Benchmarks/run.

bench_store() {
  local action unit figure
  "$ours" store changes 10 5000 >"$cache/store-10"
  "$ours" store changes 10000 5000 >"$cache/store-10000"
  while read -r action unit figure; do
    {
      echo "1 ours $figure"
      awk -v action="$action" -v unit="$unit" \
        '$1 == action && $2 == unit { print 1, "with-10", $3 }' "$cache/store-10"
    } | summarise store "$unit" "$action"
  done <"$cache/store-10000"
  bench_store_reading open 100000 100
  bench_store_reading open 10 1
  bench_store_reading list 10000 1
  bench_store_reading list 10000 1 long
}

bench_store_reading() {  # open|list recordings folders [long], for the longest journal there can be
  local card=$cache/card-$2-$3${4:+-$4} copy round
  if [ ! -e "$card/folder.journal" ]; then
    rm -rf "$card" && mkdir "$card"
    "$ours" store fill "$card" "$2" "$3" ${4:+"$4"} >/dev/null
  fi
  # The store drops a folder's files from the page cache before it first reads them. Only there it
  # would wait for the disk; in /dev/shm both read from memory.
  copy=$(mktemp -d /dev/shm/reel-bench.XXXXXX)
  (cd "$card" && find . -name 'folder.*' -exec cp --parents -t "$copy" {} +)
  for ((round = 1; round <= rounds; round++)); do
    "${undisturbed[@]}" "$ours" store "$1" "$copy" | awk -v round="$round" \
      '$1 != "bytes" { print round, $1, $2 }'
  done | summarise store ns "$1-$2${4:+-$4}"
  rm -rf "$copy"
}
