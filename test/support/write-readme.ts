import { readFileSync, writeFileSync } from 'node:fs';
import { withFacts } from './readme.js';

writeFileSync('README.md', withFacts(readFileSync('README.md', 'utf8')));
