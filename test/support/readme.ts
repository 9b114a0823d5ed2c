/** The README's settings table, as `npm run readme` writes it and a test compares it. */
import { type Setting, settings } from '../../src/config.js';

export function settingsTable(): string {
  const rows = settings().map(({ name, default: standard, meaning }: Setting) =>
    [`\`${name}\``, standard === undefined ? 'none' : `\`${standard}\``, meaning.replaceAll('|', '\\|')].join(' | '),
  );
  return ['| setting | default | meaning |', '|---|---|---|', ...rows.map((row) => `| ${row} |`)].join('\n');
}

/** The text with the table between its two marks. */
export function withSettingsTable(readme: string): string {
  return readme.replace(
    /<!-- settings -->[\s\S]*<!-- \/settings -->/,
    `<!-- settings -->\n${settingsTable()}\n<!-- /settings -->`,
  );
}
