import { useState } from 'react';
import { askAll, askOnce, Refusal } from '../api/graphql.js';
import { wordsFor } from '../ui/controls.js';
import { ActionDialog, type Preview } from './action-dialog.js';
import type { RecordProps } from './props.js';

interface ActionState {
  action: string;
  allowed: boolean;
  reason: string | null;
}

interface Dialog {
  action: string;
  /** Undefined while the gateway tries it. */
  preview?: Preview;
}

interface Props extends RecordProps {
  onEdit(): void;
  /** Called when the record has changed: by this action, or by somebody else before it. */
  onDone(words: string): Promise<void>;
  onDeleted(): void;
  /** Called when the gateway refused: the record may have changed by now. */
  onRefused(): void;
}

const previewQuery = `query Preview($id: ID!, $action: RecordAction!, $expectedVersion: Int) {
  previewAction(id: $id, action: $action, expectedVersion: $expectedVersion) {
    allowed
    reason
    changes { field from to }
    deletes { list count }
  }
}`;

/** What can be done with the record. Each action is tried first, and shows what it would change. */
export function ActionBar({ type, record, recordKey, onEdit, onDone, onDeleted, onRefused }: Props) {
  const [dialog, setDialog] = useState<Dialog>();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const actions: ActionState[] = statesOf(record.actions);
  const expectedVersion = record.version;

  /** Replaces the dialog `mine`, unless it was closed in the meantime, or another one is open. */
  const exchange = (mine: Dialog, next?: Dialog) => setDialog((shown) => (shown === mine ? next : shown));
  const attempt = async (mine: Dialog, work: () => Promise<void>) => {
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      exchange(mine);
      if (error instanceof Refusal && error.code === 'VERSION_CONFLICT')
        await onDone('Somebody else has changed it, so nothing was done. This is the newer one.');
      else setProblem(wordsFor(error));
    }
  };
  const tryOut = (action: string) => {
    const opened = { action };
    setDialog(opened);
    return attempt(opened, async () => {
      const variables = { id: record.id, action, expectedVersion };
      const { previewAction } = await askAll<{ previewAction: Preview }>(recordKey, previewQuery, variables);
      exchange(opened, { action, preview: previewAction });
      if (!previewAction.allowed) onRefused();
    });
  };
  const perform = (tried: Dialog) =>
    attempt(tried, async () => {
      setIsBusy(true);
      const { action } = tried;
      const selected = action === 'DELETE' ? 'deletedId' : 'record { id }';
      await askOnce(
        recordKey,
        `mutation ($id: ID!, $expectedVersion: Int) { ${action.toLowerCase()}${type.model}(id: $id, expectedVersion: $expectedVersion) { ${selected} } }`,
        { id: record.id, expectedVersion },
      );
      if (action === 'DELETE') onDeleted();
      else await onDone(action === 'SUBMIT' ? 'Submitted.' : 'Cancelled.');
      exchange(tried);
    }).finally(() => setIsBusy(false));

  return (
    <div className="action-bar">
      {actions
        .filter(({ action }) => action !== 'DELETE' || type.kind !== 'singleton')
        .map(({ action, allowed, reason }) => (
          <button
            key={action}
            type="button"
            className={action === 'SUBMIT' && allowed ? 'main' : undefined}
            disabled={!allowed}
            title={reason ?? undefined}
            onClick={() => (action === 'UPDATE' ? onEdit() : void tryOut(action))}
          >
            {wordOf(action)}
          </button>
        ))}
      <p className="problem" role="alert">
        {problem}
      </p>
      {dialog && (
        <ActionDialog
          {...dialog}
          isBusy={isBusy}
          title={`${wordOf(dialog.action).replace('…', '')} this ${type.title}?`}
          onClose={() => setDialog(undefined)}
          onPerform={() => void perform(dialog)}
        />
      )}
    </div>
  );
}

const statesOf = (actions: unknown): ActionState[] => (Array.isArray(actions) ? actions : []);

const wordOf = (action: string): string =>
  action === 'UPDATE' ? 'Edit' : `${action.slice(0, 1)}${action.slice(1).toLowerCase()}…`;
