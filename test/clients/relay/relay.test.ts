import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  type ConcreteRequest,
  commitMutation,
  createOperationDescriptor,
  Environment,
  fetchQuery,
  getRequest,
  getSingularSelector,
  Network,
  type ReaderFragment,
  RecordSource,
  Store,
} from 'relay-runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { hundredRepairs } from '../records.js';

/** Compiles the app against the committed schema, as an app's build does, and returns where the artifacts are. */
async function compileApp(): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'gateway-relay-'));
  mkdirSync(join(root, 'src'));
  copyFileSync('test/schema.graphql', join(root, 'schema.graphql'));
  copyFileSync('test/clients/relay/app/operations.ts', join(root, 'src/operations.ts'));
  const config = { src: './src', schema: './schema.graphql', language: 'typescript', artifactDirectory: './artifacts' };
  mkdirSync(join(root, 'artifacts'));
  writeFileSync(join(root, 'relay.config.json'), JSON.stringify(config));
  const compiler = createRequire(import.meta.url).resolve('relay-compiler/cli.js');
  await promisify(execFile)(process.execPath, [compiler, 'relay.config.json'], { cwd: root });
  return join(root, 'artifacts');
}

describe('Relay', () => {
  let gateway: TestGateway;
  let environment: Environment;
  let artifacts: string;
  let requests = 0;

  const artifact = async (name: string) => (await import(join(artifacts, `${name}.graphql.ts`))).default;

  beforeAll(async () => {
    artifacts = await compileApp();
    gateway = await startGateway();
    await hundredRepairs(gateway);
    environment = new Environment({
      network: Network.create(async ({ text }, variables) => {
        requests++;
        return (await gateway.graphql(text ?? '', variables)).body;
      }),
      store: new Store(new RecordSource()),
    });
  });
  afterAll(() => gateway.close());

  /** The ids in the connection the store holds. */
  async function heldIds(): Promise<string[]> {
    const query: ConcreteRequest = await artifact('operationsRepairsQuery');
    const fragment: ReaderFragment = await artifact('operationsRepairList');
    const operation = createOperationDescriptor(getRequest(query), { count: 25 });
    const root = environment.lookup(operation.fragment).data;
    const selector = getSingularSelector(fragment, root);
    if (!selector) throw new Error('The list is not in the store');
    const list = environment.lookup(selector).data as { assetRepairs: { edges: { node: { id: string } }[] } };
    return list.assetRepairs.edges.map(({ node }) => node.id);
  }

  test('pages through a hundred records into one connection', async () => {
    const first: ConcreteRequest = await artifact('operationsRepairsQuery');
    const more: ConcreteRequest = await artifact('operationsRepairListPaginationQuery');
    environment.retain(createOperationDescriptor(getRequest(first), { count: 25 }));
    await fetchQuery(environment, first, { count: 25 }).toPromise();
    for (let page = 0; page < 3; page++) {
      await fetchQuery(environment, more, { count: 25, cursor: heldEnd() }).toPromise();
    }
    expect(new Set(await heldIds()).size).toBe(100);
    expect(requests).toBe(4);
  });

  /** Where the connection the store holds ends. */
  function heldEnd(): unknown {
    return environment.getStore().getSource().toJSON()['client:root:__RepairList_assetRepairs_connection:pageInfo']
      ?.endCursor;
  }

  test('refetches a record by its id alone, through node', async () => {
    const [id] = await heldIds();
    const refetch: ConcreteRequest = await artifact('operationsRepairRowRefetchQuery');
    const answer = await fetchQuery(environment, refetch, { id }).toPromise();
    expect(answer).toHaveProperty('node');
    expect(
      environment
        .getStore()
        .getSource()
        .get(id ?? ''),
    ).toMatchObject({ __typename: 'AssetRepair', status: 'draft' });
  });

  test('shows the effect of a mutation at the record the store holds', async () => {
    const [id = ''] = await heldIds();
    const before = requests;
    const mutation: ConcreteRequest = await artifact('operationsSubmitRepairMutation');
    await new Promise((resolve, reject) => {
      commitMutation(environment, { mutation, variables: { id }, onCompleted: resolve, onError: reject });
    });
    expect(environment.getStore().getSource().get(id)).toMatchObject({ status: 'submitted' });
    expect(requests).toBe(before + 1);
  });
});
