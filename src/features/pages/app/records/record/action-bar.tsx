import type { ReactNode } from 'react';
import { askAll, askOnce, useAbout, useAttempt } from '../../api/graphql.js';
import { codeOf } from '../../api/problems.js';
import { goTo, pathOf } from '../../router.js';
import { useMay } from '../../session/viewer.js';
import { Button } from '../../ui/button.js';
import { Link } from '../../ui/controls.js';
import { Dialog } from '../../ui/dialog.js';
import { Icon } from '../../ui/icon.js';
import { Menu } from '../../ui/menu.js';
import { copyText } from '../../ui/toast.js';
import type { RecordProps, RecordValues } from '../form/draft.js';
import { labelOf, shortened } from '../list/rows.js';
import { canCreate } from '../operations.js';
import { namingRecords, parentOf, type Related } from './relations.js';

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
  related: Related | undefined;
  /** Whether a deleted one can be made again, by this user and from the journal. */
  canMakeAgain: boolean;
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
export function ActionBar({ type, record, related, canMakeAgain, onEdit, onDone, onDeleted, onRefused }: Props) {
  const about = useAbout();
  const actions = actionsOf(record);
  const { id, version: expectedVersion } = record;
  const may = useMay();
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
  const locked = actions.find(({ action, allowed }) => action === 'UPDATE' && !allowed)?.reason;
  const isBusy = !!pending?.preview;

  const parent = parentOf(type, related);
  const stays = [
    ...namingRecords(type, related, about).map(
      ({ own, count }) =>
        `${own.title} that names it: ${count.toLocaleString('en')}, whose texts stay and lead nowhere then`,
    ),
    ...(parent ? [`${shortened(parent.displayTitle)}, of which it is a line`] : []),
    about.history
      ? `Its history${canMakeAgain ? ', from which it can be made again with a new id' : ''}`
      : 'Nothing else: no journal is kept here, so there is no way back',
  ];

  return (
    <div className="action-bar">
      {actions
        .filter(({ action }) => action !== 'DELETE' || type.kind !== 'singleton')
        .map(({ action, allowed, reason }) => (
          <Button
            key={action}
            kind={action === 'SUBMIT' && allowed ? 'main' : action === 'DELETE' ? 'danger' : undefined}
            className={action === 'DELETE' ? 'quiet' : undefined}
            icon={action === 'UPDATE' ? 'edit' : action === 'DELETE' ? 'delete' : undefined}
            reason={allowed ? undefined : (reason ?? 'Not now.')}
            onClick={() => (action === 'UPDATE' ? onEdit() : void start({ action }))}
          >
            {action === 'UPDATE' ? 'Edit' : `${wordOf(action)}…`}
          </Button>
        ))}
      {canCreate(type) && type.kind !== 'child' && may(type, 'CREATE') !== false && (
        <Link className="button" to={`records/${type.slug}/new?from=${record.id}`}>
          <Icon name="duplicate" /> Duplicate
        </Link>
      )}
      <Menu
        kind="quiet"
        icon="more"
        aria-label="More"
        items={[
          {
            words: 'Copy the id',
            icon: 'copy',
            onSelect: () => void copyText(id, id),
          },
          { words: 'Its type on the map', icon: 'info', onSelect: () => goTo(pathOf(`schema/${type.model}`)) },
        ]}
      />
      {locked && (
        <p className="soft">
          <Icon name="locked" /> It cannot be changed. {locked}
        </p>
      )}
      <p className="problem" role="alert">
        {problem}
      </p>
      {dialog && (
        <Dialog
          title={`${wordOf(dialog.action)} this ${type.title}?`}
          isBusy={isBusy}
          onClose={reset}
          leave={{ words: dialog.action === 'SUBMIT' ? 'Not yet' : 'Keep' }}
          act={{
            // Beside “Keep”, a bare “Cancel” could mean either.
            words: isBusy ? 'Under way…' : wordOf(dialog.action) + (dialog.action === 'CANCEL' ? ' it' : ''),
            kind: dialog.action === 'SUBMIT' ? 'main' : 'danger',
            canAct: !!dialog.preview?.allowed,
            onClick: () => void start(dialog),
          }}
        >
          {dialog.preview ? (
            <Found {...dialog.preview}>
              {dialog.action === 'DELETE' && dialog.preview.allowed && (
                <>
                  <p className="soft stays">It would leave:</p>
                  <ul className="names">
                    {stays.map((words) => (
                      <li key={words}>{words}</li>
                    ))}
                  </ul>
                </>
              )}
            </Found>
          ) : (
            <p className="soft" role="status">
              The gateway is trying it…
            </p>
          )}
        </Dialog>
      )}
    </div>
  );
}

/** What can be done with a record now, and why not. */
export const actionsOf = ({ actions }: RecordValues): ActionState[] => (Array.isArray(actions) ? actions : []);

/** `DELETE` → `Delete`. */
const wordOf = (action: string): string => action.slice(0, 1) + action.slice(1).toLowerCase();

/** Only documents have actions that change a field, so a status is a state. */
const valueWord = (field: string, value: string | null): string =>
  (field === 'status' ? value?.toLowerCase() : value) ?? '—';

function Found({ allowed, reason, changes, deletes, children }: Preview & { children: ReactNode }) {
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
        {gone.length > 0 && <li>The record itself deleted</li>}
        {gone.map(({ list, count }) => (
          <li key={list}>
            {count} of {labelOf(list).toLowerCase()} deleted with it
          </li>
        ))}
        {allowed && changes.length === 0 && gone.length === 0 && <li>The record itself, and nothing else.</li>}
      </ul>
      {children}
    </>
  );
}
