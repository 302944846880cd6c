#!/usr/bin/env node
import { main } from './main.ts'

process.exitCode = await main(process.argv.slice(2), {
  cwd: process.cwd(),
  isTerminal: [process.stdout, process.stderr].every((stream) => stream.isTTY && stream.hasColors()),
  out: (text) => console.log(text),
  err: (text) => console.error(text),
  ...(process.stderr.isTTY && { progress: (text: string) => process.stderr.write(`\r\x1B[K${text}`) }),
})
