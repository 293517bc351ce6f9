# The heart with a hundred thousand recordings, in a hundred folders and in one, beside ten
# recordings: the cost of an action must not depend on them. Sourced by Benchmarks/run.

bench_reduce() {
  local action unit figure
  "$ours" reduce 10 10 >"$cache/ten"
  "$ours" reduce 100000 100 >"$cache/folders"
  "$ours" reduce 100000 1 >"$cache/folder"
  while read -r action unit figure; do
    {
      echo "1 ours $figure"
      awk -v action="$action" -v unit="$unit" '$1 == action && $2 == unit {
        print 1, (FILENAME ~ /ten$/ ? "with-10" : "in-100-folders"), $3 }' \
        "$cache/ten" "$cache/folders"
    } | summarise reduce "$unit" "$action"
  done <"$cache/folder"
}
