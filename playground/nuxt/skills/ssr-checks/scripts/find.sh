#!/bin/sh
# What exists in browsers alone: process.client and import.meta.server say where code runs.
grep -rnE '\b(window|document|localStorage)\.' "${1:-app}" | grep -vE 'import\.meta\.client|process\.client|typeof window'
