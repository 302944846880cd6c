#!/usr/bin/env python3
"""Assigns and checks invoice numbers.

A number looks like A-2025-000041-9: year, running number, and a check digit that catches every single wrong
digit and nearly every swap of two neighbours (Luhn, over year and running number).

    number.py next A-2025-000041-9 [--year 2025]   prints the number that follows; a new year starts at 1
    number.py check < numbers.txt                  one number a line; the exit code is 1 if anything is wrong
"""

import argparse
import re
import sys

PATTERN = re.compile(r"A-([0-9]{4})-([0-9]{6})-([0-9])")


def check_digit(digits: str) -> int:
    """The digit that makes the Luhn sum of all digits a multiple of ten."""
    total = 0
    for position, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if position % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return -total % 10


def compose(year: int, running: int) -> str:
    if not 1 <= running <= 999_999:
        raise ValueError(f"running number {running} does not fit into six digits")
    digits = f"{year:04d}{running:06d}"
    return f"A-{digits[:4]}-{digits[4:]}-{check_digit(digits)}"


def parse(number: str) -> "tuple[int, int]":
    match = PATTERN.fullmatch(number)
    if not match:
        raise ValueError(f"{number!r} is not of the form A-YYYY-NNNNNN-C")
    year, running, check = match.groups()
    expected = check_digit(year + running)
    if int(check) != expected:
        raise ValueError(f"{number}: check digit is {check}, must be {expected}")
    return int(year), int(running)


def following(number: str, year: "int | None" = None) -> str:
    last_year, running = parse(number)
    if year is None or year == last_year:
        return compose(last_year, running + 1)
    if year < last_year:
        raise ValueError(f"the last number is of {last_year}, {year} is closed")
    return compose(year, 1)


def problems(lines: "list[str]") -> "list[str]":
    found, years = [], {}
    for number in filter(None, (line.strip() for line in lines)):
        try:
            year, running = parse(number)
        except ValueError as error:
            found.append(str(error))
            continue
        seen = years.setdefault(year, set())
        if running in seen:
            found.append(f"{number} occurs twice")
        seen.add(running)
    for year, seen in sorted(years.items()):
        numbers = sorted(seen)
        for before, after in zip(numbers, numbers[1:]):
            if after - before > 1:
                first, last = compose(year, before + 1), compose(year, after - 1)
                found.append(f"missing: {first}" if first == last else f"missing: {first} to {last}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="Assigns and checks invoice numbers.")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("next", help="print the number that follows")
    command.add_argument("last")
    command.add_argument("--year", type=int)
    commands.add_parser("check", help="read numbers from stdin, report what is wrong")
    options = parser.parse_args()

    if options.command == "next":
        try:
            print(following(options.last, options.year))
        except ValueError as error:
            print(f"number.py: {error}", file=sys.stderr)
            return 1
        return 0
    found = problems(sys.stdin.readlines())
    print("\n".join(found) or "All numbers are in order.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
