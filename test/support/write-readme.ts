import { readFileSync, writeFileSync } from 'node:fs';
import { withSettingsTable } from './readme.js';

writeFileSync('README.md', withSettingsTable(readFileSync('README.md', 'utf8')));
