import { useEffect, useMemo } from 'react';
import { useQuery } from 'urql';
import { readSerialNos } from '../api/record-operations.js';
import type { Repair } from '../api/repair.js';
import type { RecordNameFragment } from '../generated/graphql.js';
import { useOffer } from '../offer/offer.js';

/** A text of a line that names a record, and that record. It holds only as long as the line has this text. */
export interface LinkedText {
  text: string;
  record: RecordNameFragment;
}

/** The Serial Nos that the lines of the repair name as they are stored, by the ids of the lines. */
export function useSerialNos(repair: Repair | null): ReadonlyMap<string, LinkedText> {
  const { mayReadSerialNos } = useOffer();
  const [{ data }, read] = useQuery({ query: readSerialNos, variables: { id: repair?.id ?? '' }, pause: true });
  const isAsked = mayReadSerialNos && (repair?.consumedItems?.some(({ serialNo }) => serialNo) ?? false);
  const version = repair?.version;
  useEffect(() => {
    if (isAsked && version !== undefined) read({ requestPolicy: 'network-only' });
  }, [isAsked, version, read]);

  const lines = data?.assetRepair?.consumedItems;
  return useMemo(() => {
    const linked = (lines ?? []).flatMap(({ id, serialNo, serialNoRecord }): [string, LinkedText][] =>
      serialNo && serialNoRecord ? [[id, { text: serialNo, record: serialNoRecord }]] : [],
    );
    return new Map(linked);
  }, [lines]);
}
