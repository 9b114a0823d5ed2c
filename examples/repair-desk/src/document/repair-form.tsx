import type { Repair } from '../api/repair.js';
import { fields } from '../api/repair.js';
import { StatusBadge } from '../list/status-badge.js';
import { Conflict } from './conflict.js';
import { differencesOf } from './differences.js';
import { draftOf } from './draft.js';
import { LabelledInput } from './labelled-input.js';
import { LinesTable } from './lines-table.js';
import { useRepairForm } from './use-repair-form.js';

/** A repair with its lines, edited and saved as one. */
export function RepairForm({ opened }: { opened: Repair }) {
  const form = useRepairForm(opened);
  const { base, draft, newer, trouble } = form;
  const locked = base.status !== 'draft' || form.busy || newer !== null;
  const problems = trouble?.byPlace ?? new Map<string, string>();

  return (
    <form
      className="card"
      onSubmit={(event) => {
        event.preventDefault();
        void form.save();
      }}
    >
      <div className="title">
        <h1>{base.asset}</h1>
        <StatusBadge status={base.status} />
        <span className="hint">
          {base.displayTitle}, version {base.version}
        </span>
      </div>
      {newer && (
        <Conflict
          differences={differencesOf(draft, draftOf(newer), draftOf(base))}
          busy={form.busy}
          onTakeTheirs={() => form.take(newer)}
          onSaveMine={() => void form.save(newer)}
        />
      )}
      {trouble && !newer && (
        <p className="alert" role="alert">
          {trouble.message}
        </p>
      )}
      <div className="fields">
        {fields.map((field) => (
          <LabelledInput
            key={field.name}
            field={field}
            value={draft.values[field.name]}
            disabled={locked}
            problem={problems.get(field.name)}
            onChange={(value) => form.edit({ ...draft, values: { ...draft.values, [field.name]: value } })}
          />
        ))}
      </div>
      <LinesTable
        lines={draft.lines}
        disabled={locked}
        problems={problems}
        onChange={(lines) => form.edit({ ...draft, lines })}
      />
      <div className="actions">
        <output className="hint">{form.note}</output>
        {base.allowedActions.includes('submit') && (
          <button type="button" disabled={locked || form.changed} onClick={() => void form.submit()}>
            Submit
          </button>
        )}
        {base.status === 'draft' && (
          <button type="submit" className="primary" disabled={locked || !form.changed}>
            Save
          </button>
        )}
      </div>
    </form>
  );
}
