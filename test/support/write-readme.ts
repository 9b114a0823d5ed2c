import { readFileSync, writeFileSync } from 'node:fs';
import { withHelp } from '../commands/help.js';
import { withFacts } from './readme.js';

writeFileSync('README.md', withFacts(readFileSync('README.md', 'utf8')));
writeFileSync('docs/commands.md', withHelp(readFileSync('docs/commands.md', 'utf8')));
