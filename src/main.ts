#!/usr/bin/env node
/** The program of the command line: `records <command>`. */
import './build/node-version.mjs';
import { fileURLToPath } from 'node:url';

// A Node that is refused could not even link it.
const { runProgram } = await import('./program.js');
await runProgram(fileURLToPath(import.meta.url));
