import { afterAll, beforeAll, describe } from 'vitest';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { databaseInTurn, providers, shareOf } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { sharedGateway } from '../support/shared-gateway.js';

/** The similar cases that are tested on this database. */
type Share = <Case>(cases: readonly Case[]) => Case[];

interface Options {
  compiled?: boolean;
  /** Whether the tests damage the gateway, so that they need their own. */
  own?: boolean;
}

type Define = (gateway: () => TestGateway, share: Share, database: Provider) => void;

/** Defines the same tests for either database, each set with a gateway that has nothing stored. */
export function onBothDatabases(define: Define, options: Options = {}): void {
  defineOn(providers, define, options);
}

/** The same for the tests of `file`, which hardly depend on the database: on one of them (`databaseInTurn`). */
export function onDatabaseInTurn(
  file: string,
  define: (gateway: () => TestGateway) => void,
  options: Options = {},
): void {
  defineOn(databaseInTurn(file), define, options);
}

function defineOn(databases: readonly Provider[], define: Define, { compiled = true, own = false }: Options): void {
  describe.each(databases)('on %s', (database) => {
    let gateway: TestGateway | undefined;

    beforeAll(async () => {
      gateway = await (own ? startGateway({ database, compiled }) : sharedGateway(database, compiled));
    });
    afterAll(() => (own ? gateway?.close() : undefined));

    const present = () => {
      if (!gateway) throw new Error('The gateway is there only while a test runs');
      return gateway;
    };
    define(present, (cases) => shareOf(database, cases), database);
  });
}
