import csv
import sys

print(sum(int(row["count"]) for row in csv.DictReader(sys.stdin)))
