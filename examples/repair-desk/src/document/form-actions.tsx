import { useNavigate } from 'react-router';
import { cancelRepair, deleteRepair, submitRepair } from '../api/operations.js';
import { permissionTo, type Repair } from '../api/repair.js';
import type { RecordAction } from '../generated/graphql.js';
import type { RepairForm } from './use-repair-form.js';

/** What can be done with the repair as it is now; what the gateway would refuse is not offered. */
export function FormActions({ repairForm }: { repairForm: RepairForm }) {
  const navigate = useNavigate();
  const { state, newer, isDirty, locked, show, during, act } = repairForm;
  const { base, busy } = state;
  const current = newer === null || busy ? base : null;

  /** A button for the action, if it is allowed. It is never disabled, because a disabled one would lose the focus. */
  function button(action: RecordAction, label: string, act: (repair: Repair) => Promise<void>, question?: string) {
    if (current === null || !permissionTo(action, current).allowed) return null;
    // What is not saved can be deleted, but neither submitted nor cancelled.
    const isOff = busy || (isDirty && action !== 'DELETE');
    const onClick = () => !isOff && (question === undefined || confirm(question)) && void during(() => act(current));
    return (
      <button type="button" className={`outline ${action.toLowerCase()}`} aria-disabled={isOff} onClick={onClick}>
        {label}
      </button>
    );
  }

  const submit = async (repair: Repair) => {
    const done = await act(submitRepair, repair);
    if (done?.record) show(done.record, { note: 'Submitted.', seen: repair });
  };
  const cancel = async (repair: Repair) => {
    const done = await act(cancelRepair, repair);
    if (done?.record) show(done.record, { note: 'Cancelled.', seen: repair });
  };
  const remove = async (repair: Repair) => {
    if (await act(deleteRepair, repair)) await navigate('/', { replace: true });
  };

  return (
    <div className="actions">
      <output>{busy ? 'One moment…' : state.note}</output>
      {button('DELETE', 'Delete', remove, 'Delete this repair and its lines for good?')}
      {button('CANCEL', 'Cancel this repair', cancel, 'Cancel this repair? It cannot be submitted again.')}
      {button('SUBMIT', 'Submit', submit)}
      {locked === null && (
        <button type="submit" aria-disabled={busy || (base !== null && !isDirty)}>
          {base === null ? 'Create' : 'Save'}
        </button>
      )}
    </div>
  );
}
