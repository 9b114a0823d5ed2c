/** Asset repairs with lines, which most of these tests use. */
import type { TestGateway } from '../support/gateway.js';
import { ask } from './ask.js';

type Gateway = Pick<TestGateway, 'graphql'>;

/** An input of create with this many consumed items (`item 1` and so on) and purchase invoices. */
export function repairInput({ consumedItems = 0, purchaseInvoices = 0, asset = 'lathe' } = {}) {
  return {
    failureDate: '2026-01-31',
    asset,
    consumedItems: upTo(consumedItems).map((place) => ({ itemCode: `item ${place}`, warehouse: 'main' })),
    purchaseInvoices: upTo(purchaseInvoices).map((place) => ({
      expenseAccount: `account ${place}`,
      repairCost: place,
    })),
  };
}

/** Creates `count` asset repairs, each with the lines of `input`; returns their ids, oldest first. */
export async function createRepairs(gateway: Gateway, count: number, input = repairInput()): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const aliases = upTo(Math.min(20, count - ids.length));
    const creates = aliases
      .map((alias) => `repair${alias}: createAssetRepair(input: $input) { record { id } }`)
      .join(' ');
    const data = await ask(gateway, `mutation ($input: CreateAssetRepairInput!) { ${creates} }`, { input });
    ids.push(...aliases.map((alias) => data[`repair${alias}`].record.id));
  }
  return ids;
}

/** Creates one asset repair; returns its id and those of its consumed items in their order. */
export async function createRepair(gateway: Gateway, input = repairInput()): Promise<{ id: string; items: string[] }> {
  const {
    repair: { record: repair },
  } = await ask(
    gateway,
    'mutation ($input: CreateAssetRepairInput!) { repair: createAssetRepair(input: $input) { record { id consumedItems { id } } } }',
    { input },
  );
  return { id: repair.id, items: repair.consumedItems.map((item: { id: string }) => item.id) };
}

/** The consumed items of a repair as `['item 1', …]`, after making sure that they are numbered 1…n. */
export async function itemsOf(gateway: Gateway, id: string): Promise<string[]> {
  const { repair } = await ask(
    gateway,
    'query ($id: ID!) { repair: assetRepair(id: $id) { consumedItems { idx itemCode } } }',
    { id },
  );
  const items: { idx: number; itemCode: string }[] = repair.consumedItems;
  const misplaced = items.findIndex(({ idx }, index) => idx !== index + 1);
  if (misplaced >= 0) throw new Error(`The line at place ${misplaced + 1} has idx ${items[misplaced]?.idx}`);
  return items.map(({ itemCode }) => itemCode);
}

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
