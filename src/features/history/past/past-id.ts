/** The id of a record that is read as it was; `src/model/past-id.ts` reads such ids. */
import { type PastRecord, pastOf } from './past-document.js';

export const pastIdOf = (row: PastRecord): string => `${row.id}@${pastOf(row)?.record.version ?? row.version}`;
