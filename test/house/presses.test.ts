/** Tests of pages press as people do: with the one helper, which holds the button down for a moment. */
import { expect, test } from 'vitest';
import { typescriptIn } from './files.js';

const helper = 'test/browser/press.ts';
const presses = /\.(click|dblclick|tap|check|uncheck|setChecked|dragTo|dispatchEvent)\(|\.(mouse|touchscreen)\b/;

test('nothing but the helper presses', () => {
  const files = typescriptIn('test/browser');
  expect(files.filter(({ text }) => presses.test(text)).map(({ path }) => path)).toEqual([helper]);
});

test('pages are driven from one folder', () => {
  const files = typescriptIn('src', 'test', 'examples', 'bench');
  const elsewhere = files.filter(
    ({ path, text }) => !path.startsWith('test/browser/') && /from '[p]laywright/.test(text),
  );
  expect(elsewhere.map(({ path }) => path)).toEqual([]);
});
