import { type FocusEvent, useEffect, useRef } from 'react';
import { FormProvider } from 'react-hook-form';
import { useBeforeUnload, useBlocker } from 'react-router';
import { nameOf, type Repair, whyLocked } from '../api/repair.js';
import { LiveBadge, StatusBadge } from '../badges.js';
import { fields } from './draft.js';
import { FormActions } from './form-actions.js';
import { LabelledInput } from './labelled-input.js';
import { Lines } from './lines.js';
import { Meanwhile } from './meanwhile.js';
import { useRepairForm } from './use-repair-form.js';

const unmarked: ReadonlySet<string> = new Set();

/** A repair with its lines, edited and saved as one; a new one if none is opened. */
export function RepairForm({ opened }: { opened: Repair | null }) {
  const repairForm = useRepairForm(opened);
  const { form, state, isDirty, live, locked, save } = repairForm;
  const { base, busy } = state;
  const { root, ...problems } = form.formState.errors;
  const isWrong = Object.keys(problems).length > 0;
  const marks = state.news?.places ?? unmarked;
  const readOnly = locked !== null || busy;
  const name = base ? nameOf(base) : 'New repair';
  useUnsavedEdits(isDirty);
  useTitle(`${name} · Repair desk`);

  return (
    <FormProvider {...form}>
      <form
        className="card"
        aria-busy={busy}
        // What is wrong is said at the field, in the words of the desk and the gateway.
        noValidate
        {...useKeptFocus()}
        onSubmit={(event) => {
          event.preventDefault();
          if (!readOnly && (isDirty || base === null)) save();
        }}
      >
        <header className="title">
          <h1 tabIndex={-1}>{name}</h1>
          {base && <StatusBadge status={base.status} />}
          {base && <small>version {base.version}</small>}
          {base && <LiveBadge state={live} />}
        </header>
        <Meanwhile repairForm={repairForm} />
        {(root || isWrong) && (
          <div className="alert" role="alert">
            {root?.message} {isWrong && 'Nothing is saved: correct what is marked.'}
          </div>
        )}
        {base && whyLocked(base) && <p>{whyLocked(base)}</p>}
        <div className="fields">
          {fields.map((field) => (
            <LabelledInput
              key={field.name}
              field={field}
              path={field.name}
              readOnly={readOnly}
              isMarked={marks.has(field.name)}
            />
          ))}
        </div>
        <Lines readOnly={readOnly} marks={marks} />
        <FormActions repairForm={repairForm} />
      </form>
    </FormProvider>
  );
}

/** Asks before edits are left: by a link, by the browser's buttons, by closing the tab. */
function useUnsavedEdits(areThere: boolean): void {
  useBeforeUnload((event) => areThere && event.preventDefault());
  useBlocker(
    // A new repair that is saved is replaced by itself.
    ({ historyAction }) =>
      areThere && historyAction !== 'REPLACE' && !confirm('Leave without saving? What you have changed will be lost.'),
  );
}

function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
    return () => {
      document.title = 'Repair desk';
    };
  }, [title]);
}

/** Begins at the heading, and goes back there when what has the focus, such as a button, is no longer there. */
function useKeptFocus() {
  const last = useRef<Element | null>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('h1')?.focus(), []);
  useEffect(() => {
    if (!last.current || (last.current.isConnected && !last.current.matches(':disabled'))) return;
    last.current = null;
    form.current?.querySelector<HTMLElement>('h1')?.focus();
  });
  return {
    ref: form,
    onFocus({ target }: FocusEvent) {
      last.current = target;
    },
    onBlur({ target }: FocusEvent) {
      if (target.isConnected) last.current = null;
    },
  };
}
