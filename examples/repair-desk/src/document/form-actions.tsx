import { useClient } from 'urql';
import { cancelRepair, deleteRepair, submitRepair } from '../api/operations.js';
import type { Repair } from '../api/repair.js';
import { permissionTo } from '../record/permission-to.js';
import { addresses, replaceBy } from '../route.js';
import type { FormAction, FormState } from './form-state.js';
import { act } from './requests.js';

interface Props {
  state: FormState;
  dispatch: (action: FormAction) => void;
  isEdited: boolean;
  isLocked: boolean;
}

/** What can be done with the repair as it is now; what the gateway would refuse is not offered. */
export function FormActions({ state, dispatch, isEdited, isLocked }: Props) {
  const client = useClient();
  const { base, newer, busy } = state;
  const current = newer === null || busy ? base : null;
  const isWaiting = busy || isEdited;

  async function submit(repair: Repair) {
    const done = await act(client, submitRepair, repair, dispatch);
    if (done?.record) dispatch({ type: 'done', repair: done.record, note: 'Submitted.', news: null });
  }

  async function cancel(repair: Repair) {
    if (!confirm('Cancel this repair? It cannot be submitted again.')) return;
    const done = await act(client, cancelRepair, repair, dispatch);
    if (done?.record) dispatch({ type: 'done', repair: done.record, note: 'Cancelled.', news: null });
  }

  async function remove(repair: Repair) {
    if (!confirm('Delete this repair and its lines for good?')) return;
    const done = await act(client, deleteRepair, repair, dispatch);
    if (done) replaceBy(addresses.list);
  }

  return (
    <div className="actions">
      <output className="hint">{busy ? 'One moment…' : state.note}</output>
      {current && permissionTo('DELETE', current).allowed && (
        <button type="button" className="danger" disabled={busy} onClick={() => void remove(current)}>
          Delete
        </button>
      )}
      {current && permissionTo('CANCEL', current).allowed && (
        <button type="button" disabled={isWaiting} onClick={() => void cancel(current)}>
          Cancel this repair
        </button>
      )}
      {current && permissionTo('SUBMIT', current).allowed && (
        <button type="button" disabled={isWaiting} onClick={() => void submit(current)}>
          Submit
        </button>
      )}
      {!isLocked && (
        <button type="submit" className="primary" aria-disabled={busy || (base !== null && !isEdited)}>
          {base === null ? 'Create' : 'Save'}
        </button>
      )}
    </div>
  );
}
