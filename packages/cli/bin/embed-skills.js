#!/usr/bin/env node
// Here before anything is built, so that package managers can link it.
import '../dist/cli.js'
