/** Parts that the deeds of the three lists share. */
import type { Deed } from '../deed.js';

export const day = '2026-01-31';
export const repairs = '/api/assets/asset-repair';
export const items = '/api/assets/asset-repair-consumed-item';
export const resolved = 'id asset actions { action allowed }';
export const never = () => 0;
export const versionsRaised: Deed['done'] = (found, { id }) => (found.repairs.get(id)?.version ?? 1) - 1;
export const isGone: Deed['done'] = (found, { id }) => (found.repairs.has(id) ? 0 : 1);
export const madeSo: Deed['done'] = (found, { marker }) => found.made(marker);
export const range = (length: number) => Array.from({ length }, (_, index) => String(index));
/** The selection of the record in the answer to a mutation. */
export const inRecord = (selection: string): string => `record { ${selection} }`;
