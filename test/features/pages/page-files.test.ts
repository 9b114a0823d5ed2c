/** The files of the pages as a built gateway reads them. */
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fromFolder, manifestName } from '../../../src/features/pages/page-files.js';
import { freshFolder } from '../../support/database.js';

test('a file that could not be read once, as where too many are open, is read again at the next request', async () => {
  const folder = freshFolder();
  writeFileSync(join(folder, manifestName), '{}');
  // A folder is there, and cannot be read as a file.
  mkdirSync(join(folder, 'app.js'));
  const file = fromFolder(folder).find('app.js');
  await expect(file?.read()).rejects.toThrow('EISDIR');
  rmdirSync(join(folder, 'app.js'));
  writeFileSync(join(folder, 'app.js'), 'content');
  const [first, second] = await Promise.all([file?.read(), file?.read()]);
  expect(String(first)).toBe('content');
  expect(second).toBe(first);
  expect(await file?.read('br')).toBeUndefined();
});
