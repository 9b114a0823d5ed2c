import { useCallback } from 'react';
import { useClient } from 'urql';
import { type Repair, whyLocked } from '../api/repair.js';
import { LiveBadge } from '../live/live-badge.js';
import { RecordHeading } from '../record/record-heading.js';
import { useUnsavedEdits } from '../route.js';
import { type OnEdit, setValue } from './edits.js';
import { fields } from './fields.js';
import { FormActions } from './form-actions.js';
import { LabelledInput } from './labelled-input.js';
import { Lines } from './lines.js';
import { Meanwhile } from './meanwhile.js';
import { save } from './requests.js';
import { TroubleAlert } from './trouble-alert.js';
import { useRepairForm } from './use-repair-form.js';
import { useSerialNos } from './use-serial-nos.js';

const none: { problems: ReadonlyMap<string, string>; marks: ReadonlySet<string> } = {
  problems: new Map(),
  marks: new Set(),
};

/** A repair with its lines, edited and saved as one; a new one if none is opened. */
export function RepairForm({ opened }: { opened: Repair | null }) {
  const client = useClient();
  const { state, dispatch, live, isEdited, isLocked } = useRepairForm(opened);
  const { base, draft, trouble } = state;
  const readOnly = isLocked || state.busy;
  const problems = trouble?.problems ?? none.problems;
  const marks = state.news?.places ?? none.marks;
  const onEdit = useCallback<OnEdit>((place, edit) => dispatch({ type: 'edited', place, edit }), [dispatch]);
  const serialNos = useSerialNos(base);
  useUnsavedEdits(isEdited);

  return (
    <form
      className="card"
      aria-busy={state.busy}
      // What is wrong is said at the field, in the words of the desk and the gateway.
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!readOnly && (isEdited || base === null)) void save(client, state, dispatch);
      }}
    >
      <RecordHeading record={base} unsaved="New repair">
        {base && <LiveBadge state={live} />}
      </RecordHeading>
      <Meanwhile state={state} dispatch={dispatch} />
      {trouble && (trouble.message !== '' || trouble.problems.size > 0) && (
        <TroubleAlert key={state.failures} trouble={trouble} />
      )}
      {base && whyLocked(base) && <p className="locked hint">{whyLocked(base)}</p>}
      <div className="fields">
        {fields.map((field) => (
          <LabelledInput
            key={field.name}
            field={field}
            value={draft.values[field.name]}
            readOnly={readOnly}
            problem={problems.get(field.name)}
            isMarked={marks.has(field.name)}
            onChange={(value) => onEdit(field.name, setValue(field.name, value))}
          />
        ))}
      </div>
      <Lines
        lines={draft.lines}
        readOnly={readOnly}
        problems={problems}
        marks={marks}
        serialNos={serialNos}
        onEdit={onEdit}
      />
      <FormActions state={state} dispatch={dispatch} isEdited={isEdited} isLocked={isLocked} />
    </form>
  );
}
