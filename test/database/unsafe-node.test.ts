import { expect, test } from 'vitest';
import { unsafeNode } from '../../src/database/sqlite/unsafe-node.js';

test('versions of Node on which objects of SQLite can end the process are named', () => {
  for (const version of ['20.19.0', '22.23.3', '24.0.0', '24.18.1'])
    expect([version, unsafeNode(version)]).toEqual([version, undefined]);
  for (const version of ['24.19.0', '24.21.0', '25.0.0', '26.3.0'])
    expect(unsafeNode(version)).toContain(`Node ${version} can end`);
});
