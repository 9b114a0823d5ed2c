import type { Provider } from '../../src/database/migration-history.js';
import { type Resource, singletonId } from '../../src/model/resource.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

/** Two gateways, each on a database of its own: one compiles, of the other the resolvers answer everything. */
export interface Twins {
  ours: TestGateway;
  theirs: TestGateway;
  close(): Promise<unknown>;
}

export async function startTwins(database: Provider): Promise<Twins> {
  const ours = await startGateway({ database });
  const theirs = await startGateway({ database, compiled: false });
  return { ours, theirs, close: () => Promise.all([ours.close(), theirs.close()]) };
}

/** The ids of two records that are alike but for them; a singleton's are the same. */
export async function twinRecords({ ours, theirs }: Twins, resource: Resource, input: object) {
  if (resource.kind === 'singleton') return { ourId: singletonId(resource), theirId: singletonId(resource) };
  const query = `mutation ($input: Create${resource.model}Input!) { record: create${resource.model}(input: $input) { id } }`;
  const create = async (gateway: TestGateway): Promise<string> =>
    (await gateway.graphql(query, { input })).body.data.record.id;
  return { ourId: await create(ours), theirId: await create(theirs) };
}
