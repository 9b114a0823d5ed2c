/** The code that the page of translations writes: it runs as it is, with the packages that it imports. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graphqlSnippets } from '../../src/features/translation/pure/snippets.js';
import { createTranslateCall } from '../../src/features/translation/translate-text.js';
import type { TestGateway } from '../support/gateway.js';
import { restEndpoints } from '../support/rest-operations.js';
import { sharedGateway } from '../support/shared-gateway.js';

const translateCall = createTranslateCall(restEndpoints);

describe('the code', () => {
  let gateway: TestGateway;
  let folder: string;
  beforeAll(async () => {
    gateway = await sharedGateway('sqlite', true);
    // Within the project, so that the code finds the packages.
    folder = mkdtempSync('test/clients/node_modules/.translated-');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const industry = ["O'Neil `x` $", '{y} \\ " é'].join('');
  const requests = [
    { method: 'POST', path: '/api/crm/industry-type', body: JSON.stringify({ industry }) },
    { method: 'GET', path: '/api/crm/industry-type?limit=1', body: undefined },
  ];

  test.each(requests)('of $method $path runs as it is, in each language', async ({ method, path, body }) => {
    const translated = translateCall({ method, origin: '', path, headers: {}, body });
    if ('problem' in translated) throw new Error(translated.problem);
    const env = { ...process.env, API_KEY: gateway.key };
    const run = promisify(execFile);
    for (const { language, text } of graphqlSnippets(translated, gateway.url)) {
      expect(text).not.toContain(gateway.key);
      let data: { record?: { record: object }; page?: { data: object[] } };
      if (language === 'curl') {
        const { stdout } = await run('bash', ['-c', text.replace('curl', 'curl -s')], { env });
        data = JSON.parse(stdout).data;
      } else {
        const file = join(folder, 'code.mjs');
        writeFileSync(file, `${text}\nconsole.log(JSON.stringify(data));`);
        const { stdout } = await run(process.execPath, [file], { env });
        data = JSON.parse(stdout);
      }
      expect(data.record?.record ?? data.page?.data[0], language).toMatchObject({ industry });
    }
  });
});
