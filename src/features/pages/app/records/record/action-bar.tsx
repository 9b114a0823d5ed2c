import { useQueryClient } from '@tanstack/react-query';
import type { TypeAbout } from '../../../about.js';
import { askAll, askOnce, readWithKey, useAbout, useAttempt } from '../../api/graphql.js';
import { wordsFor } from '../../api/problems.js';
import { goTo, lastSeen, pathOf } from '../../router.js';
import { useMay } from '../../session/viewer.js';
import { Button } from '../../ui/button.js';
import { Link, Problem } from '../../ui/controls.js';
import { Dialog } from '../../ui/dialog.js';
import { Icon } from '../../ui/icon.js';
import { showToast } from '../../ui/toast.js';
import type { RecordProps, RecordValues } from '../form/draft.js';
import { labelOf, shortened, Value } from '../list/rows.js';
import { useMakeAgain } from './deleted-record.js';
import { addressOfRecord, namingRecords, parentOf, type Related } from './relations.js';

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
  related: Related | undefined;
  onEdit(): void;
  /** Called when the record has changed: by this action, or by somebody else before it. */
  onDone(words: string): Promise<void>;
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
export function ActionBar({ type, record, related, onEdit, onDone }: Props) {
  const about = useAbout();
  const queries = useQueryClient();
  const again = useMakeAgain(type);
  const { id, version: expectedVersion, actions = [] } = record;
  const may = useMay();
  const { pending, found, problem, start, reset } = useAttempt(
    async ({ action, preview }: Attempt): Promise<Attempt | undefined> => {
      if (!preview) {
        const variables = { id, action, expectedVersion };
        const { previewAction } = await askAll<{ previewAction: Preview }>({ query: previewQuery, variables });
        // It may have changed by now.
        if (!previewAction.allowed) void queries.invalidateQueries(readWithKey);
        return { action, preview: previewAction };
      }
      const selected = action === 'DELETE' ? 'deletedId' : 'record { id }';
      await askOnce({
        query: `mutation ($id: ID!, $expectedVersion: Int) { ${action.toLowerCase()}${type.model}(id: $id, expectedVersion: $expectedVersion) { ${selected} } }`,
        variables: { id, expectedVersion },
      });
      if (action === 'DELETE') leave();
      else await onDone(action === 'SUBMIT' ? 'Submitted.' : 'Cancelled.');
    },
    () => onDone('Somebody else has changed it, so nothing was done. This is the newer one.').then(() => undefined),
  );
  const dialog = pending ?? found;
  const locked = actions.find(({ action, allowed }) => action === 'UPDATE' && !allowed)?.reason;
  const isBusy = !!pending?.preview;

  const parent = parentOf(type, related);
  /** Back to the list; of a line, to its document. A record can be made again from what the journal has of it. */
  const leave = () => {
    queries.removeQueries(readWithKey);
    goTo(pathOf(parent ? addressOfRecord(about, parent.model, parent.id) : lastSeen(`records/${type.slug}`)));
    const undo = () =>
      again?.(id, expectedVersion).catch((error: unknown) =>
        showToast({ words: 'Not made again', detail: wordsFor(error), isBad: true }),
      );
    const back = parent && about.history ? '. An earlier version of the document has it still.' : '';
    showToast({
      words: 'Deleted',
      detail: titleOf(type, record) + back,
      ...(again && { action: { words: 'Undo', onPress: () => void undo() } }),
    });
  };
  const stays = [
    ...namingRecords(type, related, about).map(
      ({ own, count }) =>
        `${own.title} that names it: ${count.toLocaleString()}, whose texts stay and lead nowhere then`,
    ),
    ...(parent ? [`${shortened(parent.displayTitle)}, of which it is a line`] : []),
    about.history
      ? `Its history${again ? ', from which it can be made again with a new id' : ''}`
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
      {type.kind !== 'child' && may(type, 'CREATE') !== false && (
        <Link className="button" to={`records/${type.slug}/new?from=${record.id}`}>
          <Icon name="duplicate" /> Duplicate
        </Link>
      )}
      {locked && (
        <p className="soft">
          <Icon name="locked" /> It cannot be changed. {locked}
        </p>
      )}
      <Problem>{problem}</Problem>
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
            <Found {...dialog.preview} type={type} />
          ) : (
            <p className="soft" role="status">
              The gateway is trying it…
            </p>
          )}
          {dialog.action === 'DELETE' && dialog.preview?.allowed && (
            <>
              <p className="soft stays">It would leave:</p>
              <ul className="names">
                {stays.map((words) => (
                  <li key={words}>{words}</li>
                ))}
              </ul>
            </>
          )}
        </Dialog>
      )}
    </div>
  );
}

/** What heads the page of a record. */
export const titleOf = (type: TypeAbout, record: RecordValues): string =>
  type.kind === 'singleton' ? type.title : shortened(String(record.displayTitle ?? record.id));

/** `DELETE` → `Delete`. */
const wordOf = (action: string): string => action.slice(0, 1) + action.slice(1).toLowerCase();

function Found({ type, allowed, reason, changes, deletes }: Preview & { type: TypeAbout }) {
  const fieldCalled = (name: string) => type.fields.find((field) => field.name === name);
  const gone = deletes.filter(({ count }) => count > 0);
  return (
    <>
      <p className="soft">The gateway has tried it and taken it back. {allowed ? 'It would change:' : ''}</p>
      {!allowed && <p className="notice bad">{reason}</p>}
      <ul className="names">
        {changes.map(({ field, from, to }) => (
          <li key={field}>
            {labelOf(field)}: <Value field={fieldCalled(field)} value={from} /> →{' '}
            <Value field={fieldCalled(field)} value={to} />
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
    </>
  );
}
