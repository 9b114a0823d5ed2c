import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type DocumentNode, print } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshFolder } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { possibleTypes } from './possible-types.js';
import { namedSerialNo } from './records.js';

const query = `query Repair($id: ID!) {
  assetRepair(id: $id) { asset repairCost createdAt company allowedActions consumedItems { itemCode } }
}`;

const mutation = `mutation Submit($id: ID!) {
  submitAssetRepair(id: $id) { record { asset } userErrors { code path message allowedActions } }
}`;

const shared = `query Shared($ids: [ID!]!, $status: DocumentStatus!) {
  nodes(ids: $ids) { __typename ...Heading }
  jobCards(where: { status: { eq: $status } }) {
    nodes { serialNoRecord { serialNo jobCardsBySerialNo { totalCount nodes { status } } } }
  }
}
fragment Heading on BusinessRecord { version ... on MainRecord { updatedAt } ... on BusinessDocument { status allowedActions } }`;

const use = (wrong: string) => `
import { graphql } from './generated/index.js';
import type { ResultOf, VariablesOf } from '@graphql-typed-document-node/core';
const document = graphql(\`${query}\`);
const submit = graphql(\`${mutation}\`);
const shared = graphql(\`${shared}\`);
const variables: VariablesOf<typeof document> = { id: 'x' };
export const ofDrafts: VariablesOf<typeof shared> = { ids: ['x'], status: 'DRAFT' };
export function headings({ nodes, jobCards }: ResultOf<typeof shared>): string {
  const numbers = jobCards?.nodes.map(({ serialNoRecord }) => serialNoRecord?.jobCardsBySerialNo?.totalCount ?? 0) ?? [];
  const states = nodes.map((node) => (node?.__typename === 'AssetRepair' ? node.status : undefined));
  const drafts: number = states.filter((state) => state === 'DRAFT').length;
  return [drafts, ...numbers].join();
}
export function words({ submitAssetRepair: done }: ResultOf<typeof submit>): string {
  if (done?.record) return done.record.asset ?? '';
  return (done?.userErrors ?? []).map(({ code, path, message }) => (code === 'INVALID_STATE' ? path.join() : message)).join();
}
export function show(data: ResultOf<typeof document>): string {
  const repair = data.assetRepair;
  if (!repair) return String(variables.id);
  const asset: string = repair.asset ?? '';
  const cost: number = repair.repairCost ?? 0;
  const company: string | null | undefined = repair.company;
  const items: (string | null | undefined)[] = (repair.consumedItems ?? []).map((item) => item.itemCode);
  ${wrong}
  return [asset, cost, company, ...items].join();
}`;

describe('graphql-codegen with the configuration of docs/code-generators.md', () => {
  let folder: string;
  /** Outside of the packages, from where they can be imported. */
  const documents = join(freshFolder(), 'documents.ts');
  let gateway: TestGateway;

  beforeAll(async () => {
    // Inside the project, so that the types of the packages are found.
    mkdirSync('test/clients/node_modules/.cache', { recursive: true });
    folder = mkdtempSync(join('test/clients/node_modules/.cache', 'codegen-'));
    mkdirSync(join(folder, 'src'));
    copyFileSync('docs/schema.graphql', join(folder, 'schema.graphql'));
    copyFileSync('test/clients/recipes/code-generators.ts', join(folder, 'codegen.ts'));
    writeFileSync(join(folder, 'src/app.ts'), use(''));
    const cli = createRequire(import.meta.url)
      .resolve('@graphql-codegen/cli/package.json')
      .replace('package.json', 'esm/bin.js');
    await promisify(execFile)(process.execPath, [cli, '--config', 'codegen.ts'], { cwd: folder });
    copyFileSync(join(folder, 'src/generated/graphql.ts'), documents);
    gateway = await startGateway();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await gateway.close();
  });

  test('gives documents that the gateway answers as the types say', async () => {
    const { RepairDocument, SubmitDocument, SharedDocument }: Record<string, DocumentNode> = await import(documents);
    const send = async (document: DocumentNode | undefined, variables: Record<string, unknown>) => {
      const { body, text } = await gateway.graphql(document ? print(document) : '', variables);
      expect(body.errors, text).toBeUndefined();
      return body.data;
    };
    const { serialNo, jobCard } = await namedSerialNo(gateway, 'GEAR-7');
    expect(await send(RepairDocument, { id: 'asset-repair_none' })).toEqual({ assetRepair: null });
    const { submitAssetRepair } = await send(SubmitDocument, { id: 'asset-repair_none' });
    expect(submitAssetRepair).toMatchObject({ record: null, userErrors: [{ code: 'RESOURCE_MISSING', path: ['id'] }] });
    expect(await send(SharedDocument, { ids: [jobCard, serialNo], status: 'DRAFT' })).toMatchObject({
      nodes: [
        { __typename: 'JobCard', version: 1, status: 'DRAFT', allowedActions: ['SUBMIT'] },
        { __typename: 'SerialNo', version: 1, updatedAt: expect.any(String) },
      ],
      jobCards: {
        nodes: [{ serialNoRecord: { serialNo: 'GEAR-7', jobCardsBySerialNo: { nodes: [{ status: 'DRAFT' }] } } }],
      },
    });
  });

  test('gives what the cache of Apollo has to know of interfaces', async () => {
    const copy = join(freshFolder(), 'possible-types.ts');
    copyFileSync(join(folder, 'src/generated/possible-types.ts'), copy);
    const { default: generated } = await import(copy);
    expect(generated).toEqual({ possibleTypes });
  });

  test('gives types with which tsc takes what the schema promises and refuses what it does not', async () => {
    expect(await check(use(''))).toBe('');
    expect(await check(use('const wrong: string = repair.company;'))).toMatch(/TS2322/);
    expect(await check(use("const next: ('SUBMIT' | 'CANCEL' | 'UPDATE' | 'DELETE')[] = repair.allowedActions;"))).toBe(
      '',
    );
    expect(await check(use("const next: 'submit'[] = repair.allowedActions;"))).toMatch(/TS2322/);
    const ofUserErrors = (code: string) =>
      `const submitted = {} as ResultOf<typeof submit>;
       if (submitted.submitAssetRepair?.userErrors[0].code === '${code}') return '';`;
    expect(await check(use(ofUserErrors('VERSION_CONFLICT')))).toBe('');
    expect(await check(use(ofUserErrors('NOT_FOUND')))).toMatch(/TS2367/);
    const ofShared = (wrong: string) =>
      check(use(`const given: VariablesOf<typeof shared> = ${wrong}; if (given) return '';`));
    expect(await ofShared("{ ids: [], status: 'draft' }")).toMatch(/TS2820/);
    const ofNodes = (wrong: string) =>
      check(use(`const [node] = ({} as ResultOf<typeof shared>).nodes; if (node && ${wrong}) return '';`));
    expect(await ofNodes("node.version > 1 && (!('status' in node) || node.status === 'CANCELLED')")).toBe('');
    expect(await ofNodes("node.__typename === 'SerialNo' && node.status === 'DRAFT'")).toMatch(/TS2339/);
    expect(await check(use('repair.consumedItems?.[0].nope;'))).toMatch(/TS2339|TS2551/);
    // Apollo asks for the name of each type, whether it is selected or not.
    expect(await check(use("const type: 'AssetRepair' = repair.__typename;"))).toBe('');
    expect(await check(use("const type: 'JobCard' = repair.__typename;"))).toMatch(/TS2322/);
    expect(await check(use('const created: string | null | undefined = repair.createdAt;'))).toBe('');
    expect(await check(use('const created: number = repair.createdAt;'))).toMatch(/TS2322/);
  }, 120_000);

  /** The output of tsc for the app; '' if there are no errors. */
  async function check(app: string): Promise<string> {
    writeFileSync(join(folder, 'src/app.ts'), app);
    const tsc = createRequire(import.meta.url)
      .resolve('typescript/package.json')
      .replace('package.json', 'bin/tsc');
    const flags = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2022',
    ];
    try {
      await promisify(execFile)(process.execPath, [tsc, ...flags, '--types', '', join(folder, 'src/app.ts')]);
      return '';
    } catch (error) {
      return typeof error === 'object' && error !== null && 'stdout' in error ? String(error.stdout) : String(error);
    }
  }
});
