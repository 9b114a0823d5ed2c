import type { RecordNameFragment } from '../generated/graphql.js';
import { addresses } from '../route.js';
import { nameOf, typeOf } from './name-of.js';

/** Leads to the page of a record of any type. */
export function RecordLink({ record }: { record: RecordNameFragment }) {
  const address = record.__typename === 'AssetRepair' ? addresses.repair(record.id) : addresses.record(record.id);
  return (
    <a href={address}>
      {typeOf(record)} {nameOf(record)}
    </a>
  );
}
