#!/usr/bin/env node
/** `npx records` and the npm scripts, from a checkout: builds the gateway if its sources are newer, and runs it. */
import { build } from './build.mjs';

const code = build();
if (code === 0) await import('../../dist/src/main.js');
else process.exitCode = code;
