/**
 * On PostgreSQL the kept texts of statements take a bounded memory, however many operations there are and however many
 * sets of fields each of them sets.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { startGateway } from '../support/gateway.js';

const names = ['assetName', 'description', 'actionsPerformed', 'downtime', 'costCenter', 'project'];
const operations = 40;
const shapes = 48;

/** Small operations whose answers are long in SQL, because their lists show the same fields. */
const operation = (number: number) => `
  mutation Number${number}($id: ID!, $input: UpdateAssetRepairInput!) {
    updateAssetRepair(id: $id, input: $input) { record { ${aliases(20, (place) => `l${place}: consumedItems { ...Shown }`)} } }
  }
  fragment Shown on AssetRepairConsumedItem { ${aliases(25, (place) => `f${place}: itemCode`)} }`;
const aliases = (count: number, of: (place: number) => string) =>
  Array.from({ length: count }, (_, place) => of(place)).join(' ');

test('40 operations that set 48 different sets of fields each', async () => {
  const gateway = await startGateway({ database: 'postgresql', env: { JOURNAL: 'false' } });
  onTestFinished(() => gateway.close());
  const { body } = await gateway.graphql(
    'mutation { createAssetRepair(input: { asset: "a", failureDate: "2024-01-01" }) { record { id } } }',
  );
  const { id } = body.data.createAssetRepair.record;
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const held = () => {
    // The gateway of the test keeps the statements that it has sent.
    gateway.statements.splice(0);
    collect();
    return process.memoryUsage().heapUsed;
  };
  const change = async (number: number, shape: number) => {
    const input = Object.fromEntries(
      names.filter((_, place) => (shape >> place) & 1).map((name) => [name, `${number} ${shape}`]),
    );
    const answer = await gateway.graphql(operation(number), { id, input });
    expect(answer.body.errors, answer.text).toBeUndefined();
  };
  for (let number = 0; number < operations; number++) await change(number, 1);
  const before = held();
  for (let shape = 2; shape < shapes + 2; shape++) {
    for (let number = 0; number < operations; number++) await change(number, shape);
  }
  // All 1,920 texts together have 52 million characters.
  const grown = held() - before;
  expect(grown).toBeLessThan(20_000_000);
}, 120_000);
