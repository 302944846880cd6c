#!/bin/sh
# Merges incident logs into one Markdown timeline.
#
#   sh timeline.sh alerts.log operator.log > timeline.md
#
# A log has one event a line: a UTC time, a space, a text. Empty lines and lines beginning with # are left
# out. Lines without a time are reported on stderr, and the exit code is then 1.
set -eu

if [ "$#" -eq 0 ]; then
  echo "usage: timeline.sh LOG..." >&2
  exit 2
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

for log in "$@"; do
  if [ ! -r "$log" ]; then
    echo "timeline.sh: cannot read $log" >&2
    exit 2
  fi
  source=$(basename "$log")
  SOURCE=${source%.*} LOG=$log awk '
    { sub(/\r$/, "") }
    /^[ \t]*(#|$)/ { next }
    /^[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]Z / {
      text = substr($0, 22)
      gsub(/\t/, " ", text)
      gsub(/[|]/, "\\&#124;", text)
      printf "%s\t%s\t%s\n", substr($0, 1, 20), ENVIRON["SOURCE"], text
      next
    }
    {
      printf "%s:%d: no UTC time: %s\n", ENVIRON["LOG"], FNR, $0 > "/dev/stderr"
      bad = 1
    }
    END { exit bad }
  ' <"$log" >>"$work/events" || status=1
done

# ISO times sort as text. Where two are equal, the order of the logs decides.
awk '{ printf "%s\t%06d\t%s\n", substr($0, 1, 20), NR, substr($0, 22) }' "$work/events" | LC_ALL=C sort | awk -F '\t' '
  # Minutes since 0000-03-01, by the rule that a year beginning in March ends with the leap day.
  function minutes(t,   y, m, d) {
    y = substr(t, 1, 4) + 0; m = substr(t, 6, 2) + 0; d = substr(t, 9, 2) + 0
    if (m < 3) { y--; m += 12 }
    return (365 * y + int(y / 4) - int(y / 100) + int(y / 400) + int((153 * (m - 3) + 2) / 5) + d - 1) * 1440 \
      + substr(t, 12, 2) * 60 + substr(t, 15, 2)
  }
  BEGIN { print "| UTC | T+ min | Log | Event |"; print "|---|--:|---|---|" }
  NR == 1 { start = minutes($1) }
  { printf "| %s %s | %d | %s | %s |\n", substr($1, 1, 10), substr($1, 12, 8), minutes($1) - start, $3, $4 }
'

exit "$status"
