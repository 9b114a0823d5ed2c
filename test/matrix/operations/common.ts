/** Parts that the operations of the three lists share. */
import type { TestOperation } from '../test-operation.js';

export const day = '2026-01-31';
export const repairs = '/api/assets/asset-repair';
export const items = '/api/assets/asset-repair-consumed-item';
export const resolved = 'id asset actions { action allowed }';
export const noEffect = () => 0;
export const versionIncreases: TestOperation['timesDone'] = (stored, { id }) =>
  (stored.repairs.get(id)?.version ?? 1) - 1;
export const deletedCount: TestOperation['timesDone'] = (stored, { id }) => (stored.repairs.has(id) ? 0 : 1);
export const createdCount: TestOperation['timesDone'] = (stored, { marker }) => stored.created(marker);
export const range = (length: number) => Array.from({ length }, (_, index) => String(index));
/** The selection of the record in the answer to a mutation. */
export const inRecord = (selection: string): string => `record { ${selection} }`;
/** The same of the answer to a mutation of many. */
export const inRecords = (selection: string): string => `records { ${selection} }`;
