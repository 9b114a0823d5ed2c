/** The parts of the README that are made from the code: `npm run readme` writes them, and a test compares them. */
import type { Setting } from '../../src/gateway/config/config.js';
import { layers } from '../house/layers.js';
import { settings } from './settings.js';

function settingsTable(): string {
  const rows = settings.map(({ name, default: standard, meaning }: Setting) =>
    [`\`${name}\``, standard === undefined ? 'none' : `\`${standard}\``, meaning.replaceAll('|', '\\|')].join(' | '),
  );
  return ['| setting | default | meaning |', '|---|---|---|', ...rows.map((row) => `| ${row} |`)].join('\n');
}

/** The text with the table of settings and the list of layers between their marks. */
export function withFacts(readme: string): string {
  return between(between(readme, 'settings', settingsTable()), 'imports', ['```', ...layersList(), '```'].join('\n'));
}

const layersList = (): string[] => layers.map((parts) => parts.join(' '));

function between(text: string, mark: string, shown: string): string {
  const [before = '', after = ''] = [text.split(`<!-- ${mark} -->`)[0], text.split(`<!-- /${mark} -->`)[1]];
  return `${before}<!-- ${mark} -->\n${shown}\n<!-- /${mark} -->${after}`;
}
