import { askAll, askOnce, codeOf, useAttempt } from '../api/graphql.js';
import { Modal } from '../ui/controls.js';
import type { RecordProps } from './draft.js';
import { labelOf } from './rows.js';

interface ActionState {
  action: string;
  allowed: boolean;
  reason: string | null;
}

/** What an action would do, as the gateway found out by doing it and taking it back. */
interface Preview {
  allowed: boolean;
  reason: string | null;
  changes: { field: string; from: string | null; to: string | null }[];
  deletes: { list: string; count: number }[];
}

/** An action that is tried, and what was found; with this it is done. */
interface Attempt {
  action: string;
  /** Undefined until the gateway has tried it. */
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
export function ActionBar({ type, record, onEdit, onDone, onDeleted, onRefused }: Props) {
  const actions: ActionState[] = statesOf(record.actions);
  const { id, version: expectedVersion } = record;
  const { pending, found, problem, start, reset } = useAttempt(
    async ({ action, preview }: Attempt): Promise<Attempt | undefined> => {
      try {
        if (!preview) {
          const variables = { id, action, expectedVersion };
          const { previewAction } = await askAll<{ previewAction: Preview }>({ query: previewQuery, variables });
          if (!previewAction.allowed) onRefused();
          return { action, preview: previewAction };
        }
        const selected = action === 'DELETE' ? 'deletedId' : 'record { id }';
        await askOnce({
          query: `mutation ($id: ID!, $expectedVersion: Int) { ${action.toLowerCase()}${type.model}(id: $id, expectedVersion: $expectedVersion) { ${selected} } }`,
          variables: { id, expectedVersion },
        });
        if (action === 'DELETE') onDeleted();
        else await onDone(action === 'SUBMIT' ? 'Submitted.' : 'Cancelled.');
      } catch (error) {
        if (codeOf(error) !== 'VERSION_CONFLICT') throw error;
        await onDone('Somebody else has changed it, so nothing was done. This is the newer one.');
      }
      return undefined;
    },
  );
  const dialog = pending ?? found;
  const isBusy = !!pending?.preview;

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
            onClick={() => (action === 'UPDATE' ? onEdit() : void start({ action }))}
          >
            {wordOf(action)}
          </button>
        ))}
      <p className="problem" role="alert">
        {problem}
      </p>
      {dialog && (
        <Modal
          title={`${wordOf(dialog.action).replace('…', '')} this ${type.title}?`}
          isBusy={isBusy}
          onClose={reset}
          leave={{ words: 'Leave it' }}
          act={{
            words: isBusy ? 'Under way…' : 'Do it',
            canAct: !!dialog.preview?.allowed,
            onClick: () => void start(dialog),
          }}
        >
          {dialog.preview ? (
            <Found {...dialog.preview} />
          ) : (
            <p className="soft" role="status">
              The gateway is trying it…
            </p>
          )}
        </Modal>
      )}
    </div>
  );
}

const statesOf = (actions: unknown): ActionState[] => (Array.isArray(actions) ? actions : []);

const wordOf = (action: string): string =>
  action === 'UPDATE' ? 'Edit' : `${action.slice(0, 1)}${action.slice(1).toLowerCase()}…`;

/** Only documents have actions that change a field, so a status is a state. */
const valueWord = (field: string, value: string | null): string =>
  (field === 'status' ? value?.toLowerCase() : value) ?? '—';

function Found({ allowed, reason, changes, deletes }: Preview) {
  const gone = deletes.filter(({ count }) => count > 0);
  return (
    <>
      <p className="soft">The gateway has tried it and taken it back. {allowed ? 'It would change:' : ''}</p>
      {!allowed && <p className="notice bad">{reason}</p>}
      <ul className="names">
        {changes.map(({ field, from, to }) => (
          <li key={field}>
            {labelOf(field)}: {valueWord(field, from)} → <strong>{valueWord(field, to)}</strong>
          </li>
        ))}
        {gone.map(({ list, count }) => (
          <li key={list}>
            {count} of {labelOf(list).toLowerCase()} deleted
          </li>
        ))}
        {allowed && changes.length === 0 && gone.length === 0 && <li>The record itself, and nothing else.</li>}
      </ul>
    </>
  );
}
