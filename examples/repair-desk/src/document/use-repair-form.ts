import { useState } from 'react';
import { type CombinedError, useClient } from 'urql';
import { readRepair, saveRepair, submitRepair } from '../api/operations.js';
import type { Repair } from '../api/repair.js';
import { type Trouble, troubleOf } from '../api/trouble.js';
import { type Draft, draftOf, inputOf, isSame } from './draft.js';

/** The state of the form and what can be done with it. */
export function useRepairForm(opened: Repair) {
  const client = useClient();
  const [base, setBase] = useState(opened);
  const [draft, setDraft] = useState<Draft>(() => draftOf(opened));
  const [newer, setNewer] = useState<Repair | null>(null);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [busy, setBusy] = useState(false);
  const [note, setNote] = useState('');
  const { id } = opened;

  /** Goes on from this record; what stood in the form is gone. */
  function take(record: Repair, said = '') {
    setBase(record);
    setDraft(draftOf(record));
    setNewer(null);
    setTrouble(null);
    setNote(said);
  }

  /** Saves the draft over `over`, the record as it was read last. */
  async function save(over = base) {
    setBusy(true);
    const variables = { id, input: inputOf(draft, over), expectedVersion: over.version };
    const { data, error } = await client.mutation(saveRepair, variables);
    if (data?.saveAssetRepair) take(data.saveAssetRepair.record, 'Saved.');
    else if (error) await fail(error);
    setBusy(false);
  }

  async function submit() {
    setBusy(true);
    const { data, error } = await client.mutation(submitRepair, { id, expectedVersion: base.version });
    if (data?.submitAssetRepair) take(data.submitAssetRepair, 'Submitted.');
    else if (error) await fail(error);
    setBusy(false);
  }

  async function fail(error: CombinedError) {
    const found = troubleOf(error);
    setTrouble(found);
    setNote('');
    if (!found.conflict) return setNewer(null);
    const { data } = await client.query(readRepair, { id }, { requestPolicy: 'network-only' });
    setNewer(data?.assetRepair ?? null);
  }

  return {
    /** The record as it was read last, which the draft began from. */
    base,
    draft,
    changed: !isSame(draft, base),
    /** What somebody else has saved, until the user has chosen between it and the draft. */
    newer,
    trouble,
    busy,
    note,
    edit(next: Draft) {
      setDraft(next);
      setNote('');
    },
    take,
    save,
    submit,
  };
}
