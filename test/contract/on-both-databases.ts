import { afterAll, beforeAll, describe } from 'vitest';
import { providers, shareOf } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

/** Of cases that are alike, those of which this database is asked. */
type Share = <Case>(cases: readonly Case[]) => Case[];

/** Defines the same tests for either database, each set with one gateway of its own. */
export function onBothDatabases(
  define: (gateway: () => TestGateway, share: Share) => void,
  options: { compiled?: boolean } = {},
): void {
  describe.each(providers)('on %s', (database) => {
    let gateway: TestGateway | undefined;

    beforeAll(async () => {
      gateway = await startGateway({ database, ...options });
    });
    afterAll(() => gateway?.close());

    const present = () => {
      if (!gateway) throw new Error('The gateway is there only while a test runs');
      return gateway;
    };
    define(present, (cases) => shareOf(database, cases));
  });
}
