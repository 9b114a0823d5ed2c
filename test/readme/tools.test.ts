import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { accepted, acceptedOfPrism } from '../tools/accepted.js';

const titles: Readonly<Record<string, string>> = {
  oas: 'Spectral',
  owasp: 'Spectral, OWASP',
  ibm: 'IBM',
  graphql: 'graphql-eslint',
};

test('docs/tools.md lists the complaints that the tools of others may have, with the same reasons', () => {
  const [, page = ''] = readFileSync('docs/tools.md', 'utf8').split('## Complaints that stay');
  const [, ...shown] = page.split('\n').filter((line) => line.startsWith('| '));
  const listed = [...Object.entries(accepted), ['Prism', acceptedOfPrism] as const].flatMap(([set, rules]) =>
    Object.entries(rules).map(([rule, reason]) => `| ${titles[set] ?? set} | \`${rule}\` | ${reason} |`),
  );
  expect(shown).toEqual(listed);
});
