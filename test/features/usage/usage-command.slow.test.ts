/** `records usage` on both databases, after a gateway has ended. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/database/open-database.js';
import type { Use } from '../../../src/features/usage/usage.js';
import { addUses } from '../../../src/features/usage/usage.js';
import { records } from '../../commands/records.js';
import { freshFolder, providers } from '../../support/database.js';
import { startGateway } from '../../support/gateway.js';
import { startRecords } from '../../support/process.js';

describe.each(providers)('on %s', (provider) => {
  test('each call is shown with its key, and of deprecated ones when they end', async () => {
    const gateway = await startGateway({ database: provider });
    await gateway.rest('GET', '/api/assets/asset-repair', undefined, { 'user-agent': 'nightly' });
    await gateway.rest('GET', '/api/crm/quotation');
    await gateway.settle();
    await gateway.close();
    const deprecations = join(freshFolder(), 'deprecations.json');
    const entry = { endpoints: ['AssetRepairList'], deprecated: '2026-01-01', sunset: '2027-01-31' };
    writeFileSync(deprecations, JSON.stringify([entry]));
    const environment = { DATABASE_URL: gateway.config.databaseUrl, DEPRECATIONS: deprecations };

    const all = await records(['usage', '--json'], environment);
    expect(all.code, all.problem).toBe(0);
    expect(JSON.parse(all.text)).toMatchObject([
      { name: 'AssetRepairList', call: 'GET /api/assets/asset-repair', calls: 1, isDeprecated: true },
      { name: 'QuotationList', calls: 1, isDeprecated: false, sunset: null },
    ]);
    const few = startRecords(environment, ['usage', '--deprecated', '--since', '1h']);
    expect(await few.ended, few.log()).toBe(0);
    expect(few.output()).toMatch(/GET \/api\/assets\/asset-repair +AssetRepairList +2027-01-31 .* nightly\n$/);
    expect(few.output()).not.toContain('quotation');
    expect((await records(['usage', '--key', 'brg_000000000000'], environment)).text).toBe(
      'No such call is counted. A running gateway writes its calls within a minute.\n',
    );
    const many = Array.from({ length: 10_000 }, (_, index): Use => {
      const now = Date.now();
      return { keyId: `gone${index}`, surface: 'rest', name: 'A', userAgent: '', calls: 1, firstAt: now, lastAt: now };
    });
    const opened = await openDatabase({ url: gateway.config.databaseUrl, migrate: false });
    await opened.perform(() => addUses(provider, many));
    await opened.close();
    // The last endpoint in the list is included.
    expect(JSON.parse((await records(['usage', '--json'], environment)).text)).toHaveLength(many.length + 2);
    expect((await records(['usage', '--since', 'soon'], environment)).code).toBe(2);
  });
});
