import { readFileSync, writeFileSync } from 'node:fs';
import { withHelp } from '../commands/help.js';
import { withMetrics } from '../features/metrics/metrics-table.js';
import { withFacts } from './readme.js';

writeFileSync('README.md', withFacts(readFileSync('README.md', 'utf8')));
writeFileSync('docs/commands.md', withHelp(readFileSync('docs/commands.md', 'utf8')));
writeFileSync('docs/metrics.md', await withMetrics(readFileSync('docs/metrics.md', 'utf8')));
