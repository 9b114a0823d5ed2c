import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { freshFolder } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { noBrowser, openInBrowser } from '../in-browser.js';
import { hundredRepairs, namedSerialNo } from '../records.js';

/** Compiles the app against the committed schema, as an app's build does, and returns where the artifacts are. */
async function compileApp(): Promise<string> {
  const root = freshFolder();
  mkdirSync(join(root, 'src'));
  copyFileSync('docs/schema.graphql', join(root, 'schema.graphql'));
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
  const complaints = vi.spyOn(console, 'error');

  const artifact = async (name: string) => (await import(join(artifacts, `${name}.graphql.ts`))).default;

  beforeAll(async () => {
    artifacts = await compileApp();
    gateway = await startGateway({ env: { SEARCH: 'true' } });
    await hundredRepairs(gateway);
    environment = new Environment({
      network: Network.create(async ({ text }, variables) => {
        requests++;
        return (await gateway.graphql(text ?? '', variables)).body;
      }),
      store: new Store(new RecordSource()),
    });
  });
  afterAll(async () => {
    complaints.mockRestore();
    await gateway.close();
  });

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
    ).toMatchObject({ __typename: 'AssetRepair', status: 'DRAFT' });
  });

  test('shows the effect of a mutation at the record the store holds', async () => {
    const [id = ''] = await heldIds();
    const before = requests;
    await commit('SubmitRepair', { id });
    expect(held(id)).toMatchObject({ status: 'SUBMITTED' });
    expect(requests).toBe(before + 1);
  });

  test('takes a new record into the list, and a deleted one out of it', async () => {
    const before = await heldIds();
    const connections = ['client:root:__RepairList_assetRepairs_connection'];
    const { createAssetRepair } = await commit('CreateRepair', { input: newRepair, connections });
    const { id } = createAssetRepair.record;
    expect(await heldIds()).toEqual([id, ...before]);
    await commit('DeleteRepair', { id, connections });
    expect(await heldIds()).toEqual(before);
  });

  test('removes deleted lines from their parent, and gets its new version', async () => {
    const connections: string[] = [];
    const { createAssetRepair } = await commit('CreateRepair', { input: newRepair, connections });
    const { id } = createAssetRepair.record;
    const [first, second, third] = linesOf(id);
    await commit('DeleteLine', { id: first });
    expect(held(id)).toMatchObject({ __typename: 'AssetRepair', version: 2 });
    expect(linesOf(id)).toEqual([second, third]);
    await commit('SaveRepair', { id, input: { consumedItems: [{ id: third }] } });
    expect(linesOf(id)).toEqual([third]);
    expect(held(second ?? '')).toBeNull();
  });

  test('learns from a payload what was wrong, and keeps its records', async () => {
    const connections: string[] = [];
    const { createAssetRepair } = await commit('CreateRepair', { input: newRepair, connections });
    expect(createAssetRepair.userErrors).toEqual([]);
    const { id } = createAssetRepair.record;
    const lines = linesOf(id);
    const { saveAssetRepair } = await commit('SaveRepair', { id, input: { consumedItems: [{ itemCode: 'BELT' }] } });
    expect(saveAssetRepair).toMatchObject({
      changes: null,
      userErrors: [{ code: 'PARAMETER_MISSING', path: ['input', 'consumedItems', '0', 'warehouse'] }],
    });
    expect(linesOf(id)).toEqual(lines);
  });

  test('keeps numbers of many records apart from the records', async () => {
    const numbers: ConcreteRequest = await artifact('operationsNumbersQuery');
    const { assetRepairAggregate } = Object(await fetchQuery(environment, numbers, {}).toPromise());
    expect(assetRepairAggregate.failureDate).toMatchObject({ max: expect.any(String) });
    const types = Object.entries(environment.getStore().getSource().toJSON())
      .filter(([id]) => id.startsWith('asset-repair_'))
      .map(([, record]) => record?.__typename ?? 'AssetRepair');
    expect(new Set(types)).toEqual(new Set(['AssetRepair']));
  });

  test('reads one fragment on an interface of records of several types, by ids, by a search, and again by node', async () => {
    const { jobCard, serialNo } = await namedSerialNo(gateway, 'GEAR-7');
    const query: ConcreteRequest = await artifact('operationsMixedQuery');
    const fragment: ReaderFragment = await artifact('operationsHeading');
    const variables = { ids: [serialNo, jobCard], words: 'gear 7' };
    const answer = Object(await fetchQuery(environment, query, variables).toPromise());
    const shown = (reference: object) => {
      const selector = getSingularSelector(fragment, reference);
      return selector && environment.lookup(selector).data;
    };
    const card = { version: 1, displayTitle: 'Grinding', status: 'DRAFT', allowedActions: ['SUBMIT'] };
    const number = { version: 1, displayTitle: 'GEAR-7', updatedAt: expect.any(String) };
    const inNodes = () => answer.nodes.map(({ heading }: { heading: object }) => shown(heading));
    expect(inNodes()).toMatchObject([number, card]);
    expect(answer.search.totalCount).toBe(2);
    expect(answer.search.edges.map(({ node }: { node: object }) => shown(node))).toMatchObject([card, number]);
    await commit('SubmitCard', { id: jobCard });
    await fetchQuery(environment, await artifact('operationsHeadingRefetchQuery'), { id: jobCard }).toPromise();
    expect(inNodes()[1]).toMatchObject({ version: 2, status: 'SUBMITTED', allowedActions: ['CANCEL'] });
  });

  test('follows a link to a connection of all records that name the same, by an enum', async () => {
    const { jobCard, serialNo } = await namedSerialNo(gateway, 'GEAR-8');
    const query: ConcreteRequest = await artifact('operationsCardsQuery');
    const cards = async () => Object(await fetchQuery(environment, query, { status: 'DRAFT' }).toPromise()).jobCards;
    const edges = [{ node: { operation: 'Grinding', status: 'DRAFT' } }];
    expect((await cards()).nodes).toMatchObject([
      { serialNoRecord: { serialNo: 'GEAR-8', jobCardsBySerialNo: { edges } } },
    ]);
    expect(held(serialNo)).toMatchObject({ serialNo: 'GEAR-8' });
    expect((await commit('SubmitCard', { id: jobCard })).submitJobCard.userErrors).toEqual([]);
    expect(held(jobCard)).toMatchObject({ __typename: 'JobCard', status: 'SUBMITTED' });
    expect((await commit('SubmitCard', { id: jobCard })).submitJobCard).toMatchObject({
      record: null,
      userErrors: [{ code: 'INVALID_STATE', currentState: 'SUBMITTED', allowedActions: ['CANCEL'] }],
    });
  });

  test('logs no warnings', () => {
    expect(complaints.mock.calls).toEqual([]);
  });

  test.skipIf(noBrowser)('does in a browser what the documentation shows', async () => {
    const page = await openInBrowser<typeof import('../pages/relay.js')>('test/clients/pages/relay.ts', gateway.url);
    onTestFinished(page.close);
    await page.call('open', gateway.key);
    const [first, more, list] = [
      await artifact('operationsRepairsQuery'),
      await artifact('operationsRepairListPaginationQuery'),
      await artifact('operationsRepairList'),
    ];
    const variables = { count: 30 };
    await page.call('ask', first, variables);
    const ids = async () => {
      const { assetRepairs } = Object(await page.call('shown', list, first, variables, []));
      return { ids: assetRepairs.edges.map(({ node }: { node: { id: string } }) => node.id), ...assetRepairs.pageInfo };
    };
    const { endCursor, ids: held } = await ids();
    await page.call('ask', more, { count: 30, cursor: endCursor });
    expect((await ids()).ids).toHaveLength(60);
    const connections = ['client:root:__RepairList_assetRepairs_connection'];
    await page.call('change', await artifact('operationsDeleteRepairMutation'), { id: held[0], connections });
    expect((await ids()).ids.slice(0, 29)).toEqual(held.slice(1));
    const [mixed, heading] = [await artifact('operationsMixedQuery'), await artifact('operationsHeading')];
    const asked = { ids: [held[1]], words: 'none' };
    await page.call('ask', mixed, asked);
    expect(await page.call('shown', heading, mixed, asked, ['nodes', '0', 'heading'])).toMatchObject({
      status: 'DRAFT',
    });
    expect(page.complaints).toEqual([]);
  });

  async function commit(name: string, variables: Record<string, unknown>) {
    const mutation: ConcreteRequest = await artifact(`operations${name}Mutation`);
    const answer = await new Promise((onCompleted, onError) => {
      commitMutation(environment, { mutation, variables, onCompleted, onError });
    });
    return Object(answer);
  }

  const held = (id: string) => environment.getStore().getSource().get(id);

  /** The lines of a record in the store. */
  function linesOf(id: string): string[] {
    const lines: { __refs?: string[] } = Object(held(id)?.['consumedItems(limit:5)']);
    return (lines.__refs ?? []).filter((line) => held(line));
  }
});

const newRepair = {
  asset: 'PRESS',
  failureDate: '2026-11-20',
  consumedItems: ['SEAL', 'OIL', 'BELT'].map((itemCode) => ({ itemCode, warehouse: 'Stores' })),
};
