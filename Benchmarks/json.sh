# The project's JSON: ten thousand values as large as an item's report, read and written, beside
# Foundation's decoder and encoder, and beside summing the same bytes. Sourced by Benchmarks/run.

bench_json() {
  local round action
  for ((round = 1; round <= rounds; round++)); do
    "${undisturbed[@]}" "$ours" json 10000 | awk -v round="$round" '{ print round, $1, $2, $3 }'
  done >"$cache/json"
  for action in read write; do
    awk -v action="$action" '$2 == action { print $1, $3, $4 }' "$cache/json" \
      | summarise json us "$action"
  done
}
