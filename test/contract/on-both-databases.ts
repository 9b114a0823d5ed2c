import { afterAll, beforeAll, describe } from 'vitest';
import { providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

/** Defines the same tests for either database, each set with one gateway of its own. */
export function onBothDatabases(
  define: (gateway: () => TestGateway) => void,
  options: { compiled?: boolean } = {},
): void {
  describe.each(providers)('on %s', (database) => {
    let gateway: TestGateway | undefined;

    beforeAll(async () => {
      gateway = await startGateway({ database, ...options });
    });
    afterAll(() => gateway?.close());

    define(() => {
      if (!gateway) throw new Error('The gateway is there only while a test runs');
      return gateway;
    });
  });
}
