import type { RecordNameFragment } from '../generated/graphql.js';

/** What people call the record. */
export function nameOf(record: RecordNameFragment): string {
  if (record.__typename === 'AssetRepair') return record.asset ?? record.displayTitle;
  if (record.__typename === 'SerialNo') return record.serialNo ?? record.displayTitle;
  return record.displayTitle;
}

/** The type in words: `Serial No`. */
export function typeOf({ __typename }: Pick<RecordNameFragment, '__typename'>): string {
  return __typename.replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ');
}
