import { useQuery } from '@tanstack/react-query';
import { askAll, askOnce, useAbout, useAttempt } from '../../api/graphql.js';
import { wordsFor } from '../../api/problems.js';
import { Loading, Problem, Table, Trouble } from '../../ui/controls.js';
import { Dialog } from '../../ui/dialog.js';
import type { RecordProps } from '../form/draft.js';
import { SubmittedNotice } from '../form/record-form.js';
import { labelOf, Value } from '../list/rows.js';
import { saveOperation } from '../operations.js';
import { type Difference, differences, recordAt, restoringInput } from './past.js';

interface Props extends RecordProps {
  /** The earlier one that is looked at. */
  version: number;
  onClose(): void;
  /** Resolves when the page shows what was saved. */
  onRestored(words: string): Promise<void>;
}

type Saved = Record<string, { record: { version: number } | null }>;

/** The most differences that are listed. */
const most = 200;

/** An earlier version beside the present one, and the way back to it: a save of what it held, which the gateway tries first. */
export function VersionDialog({ type, record, version, onClose, onRestored }: Props) {
  const about = useAbout();
  const { id, version: expectedVersion } = record;
  const { pending, problem, start } = useAttempt(
    async (input: Record<string, unknown>) => {
      const [saved] = Object.values(await askOnce<Saved>(saveOperation(type, { id, input, expectedVersion })));
      await onRestored(`Version ${version} is restored, as version ${saved?.record?.version}.`).then(onClose);
    },
    () => onRestored('Somebody else has changed it, so nothing was restored. This is the newer one.').then(onClose),
  );

  /** Why it cannot be restored, as the gateway finds out by trying it. */
  const refusalOf = async (input: Record<string, unknown>): Promise<string | undefined> => {
    const update = record.actions?.find(({ action }) => action === 'UPDATE');
    if (!update?.allowed) return update?.reason ?? 'It cannot be changed.';
    if (Object.keys(input).length === 0) return 'There is nothing to restore.';
    const variables = { id, input, expectedVersion, validateOnly: true };
    return askAll(saveOperation(type, variables)).then(() => undefined, wordsFor);
  };

  const { data, error, refetch } = useQuery({
    queryKey: ['version', id, expectedVersion, version],
    enabled: !pending,
    queryFn: async () => {
      const then = await recordAt(type, id, version, about);
      const input = restoringInput(type, then, record, about);
      return { input, found: differences(type, then, record, about), refusal: await refusalOf(input) };
    },
  });

  const { found = [], refusal } = data ?? {};
  return (
    <Dialog
      title={`Version ${version} beside today’s`}
      isWide
      isBusy={!!pending}
      onClose={onClose}
      leave={{ words: 'Close' }}
      act={{
        words: pending ? 'Restoring…' : `Restore version ${version}`,
        canAct: !!data && refusal === undefined,
        onClick: () => data && void start(data.input),
      }}
    >
      {error && <Trouble error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data && (
        <p className={refusal === undefined ? 'soft' : 'notice'} role="status">
          {refusal ??
            'Restoring saves what it held as a new version. The gateway has checked it without saving. The state and secrets stay as they are; lines that are gone get new ids.'}
        </p>
      )}
      {data && refusal === undefined && <SubmittedNotice {...{ type, record }} />}
      {found.length > 0 && (
        <Table
          columns={[
            { label: 'Field', cell: placeOf },
            { label: `Version ${version}`, cell: ({ field, past }) => <Value {...{ field, value: past }} /> },
            { label: 'Today', cell: ({ field, now }) => <Value {...{ field, value: now }} /> },
          ]}
          rows={found.slice(0, most)}
          keyOf={(row) => `${row.id} ${placeOf(row)}`}
        />
      )}
      {found.length > most && <p className="soft">and {(found.length - most).toLocaleString()} more</p>}
      <Problem>{problem}</Problem>
    </Dialog>
  );
}

/** `Consumed items, line 2: Warehouse`. */
function placeOf({ list, line, field }: Difference): string {
  const words = field ? labelOf(field.name) : 'Lines';
  return list ? `${labelOf(list)}${line ? `, line ${line}` : ''}: ${words}` : words;
}
