import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { TypeAbout } from '../../../about.js';
import { readWithKey, useAbout, useAttempt } from '../../api/graphql.js';
import { useUnsaved } from '../../router.js';
import { Button } from '../../ui/button.js';
import { Problem, Select } from '../../ui/controls.js';
import { Dialog } from '../../ui/dialog.js';
import { shownFields, valueIn } from '../form/draft.js';
import { FieldInput } from '../form/field-input.js';
import { fieldProblems } from '../form/form-problems.js';
import { filterOf, type ListState } from '../list/list-state.js';
import { labelOf, shortened } from '../list/rows.js';
import { nextCall, type Run } from './act.js';
import { allPages, csvLine, numbered, Progress, saveFile } from './export.js';
import type { ManyAction, Selection } from './selection.js';

const words: Record<ManyAction, { act: string; past: string; keep: string }> = {
  SUBMIT: { act: 'Submit', past: 'submitted', keep: 'Not yet' },
  CANCEL: { act: 'Cancel', past: 'cancelled', keep: 'Keep' },
  UPDATE: { act: 'Set a field', past: 'changed', keep: 'Not yet' },
  DELETE: { act: 'Delete', past: 'deleted', keep: 'Keep' },
};
/** What is asked before a run is left: what it has done stays done. */
const leaving = {
  title: 'Stop half-way?',
  text: 'What has been done stays done. The rest is not, and what did not work is not shown any more.',
  act: 'Stop and leave',
};
const begun = { isOver: false, looked: 0, refused: [], at: 0, after: undefined };

interface Props {
  type: TypeAbout;
  state: ListState;
  selection: Selection;
  total: number;
  actions: ManyAction[];
}

/** How many records are selected, and what can be done with them: tried first, then done, and stopped between two calls. */
export function ManyBar({ type, state, selection, total, actions }: Props) {
  const queries = useQueryClient();
  const [run, setRun] = useState<Run>();
  const isStopped = useRef(false);
  const stop = useCallback(() => {
    isStopped.current = true;
  }, []);
  useEffect(() => stop, [stop]);
  const { pending, error, problem, start, reset } = useAttempt(async (from: Run) => {
    isStopped.current = false;
    try {
      for (let now = from; ; now = await nextCall(now)) {
        setRun(now);
        if (now.isOver || isStopped.current) break;
      }
    } finally {
      if (!from.isTry) await queries.invalidateQueries(readWithKey);
    }
  });
  useUnsaved(!!pending && !pending.isTry, leaving);
  const found = useAttempt(async (list: ListState) => {
    const all: string[] = [];
    for await (const rows of allPages(type, list, [])) all.push(...rows.map(({ id }) => id));
    selection.choose(all, true);
  });
  const { isAll, ids, count } = selection;
  const begin = (action: ManyAction) => {
    const where = filterOf(type, state) ?? {};
    const others = ids.size > 0 ? { and: [where, { not: { id: { in: [...ids] } } }] } : where;
    const chosen = isAll ? { where: others } : { ids: [...ids] };
    const next = { type, action, chosen, total: count, isTry: true, ...begun };
    if (action === 'UPDATE') setRun(next);
    else void start(next);
  };
  const close = () => {
    if (run && !run.isTry) selection.clear();
    setRun(undefined);
    reset();
  };
  return (
    <section className="action-bar many-bar" aria-label="Selected records">
      <strong role="status">{numbered(count)} selected</strong>
      {count < total && (
        // A search is no filter: what it finds is selected by its ids.
        <Button isSmall onClick={() => (state.search ? void found.start(state) : selection.chooseAll())}>
          {found.pending ? 'Reading them…' : `Select all ${numbered(total)} that are found`}
        </Button>
      )}
      <Button kind="quiet" isSmall onClick={selection.clear}>
        Select none
      </Button>
      {actions.map((action) => (
        <Button
          key={action}
          isSmall
          className={action === 'DELETE' ? 'quiet danger' : ''}
          onClick={() => begin(action)}
        >
          {words[action].act}…
        </Button>
      ))}
      <Problem>{found.problem}</Problem>
      {run && (
        <ManyDialog
          {...{ run, start }}
          problem={fieldProblems(error)[0]?.words ?? problem}
          isBusy={!!pending}
          onLeave={pending ? stop : close}
        />
      )}
    </section>
  );
}

interface DialogProps {
  run: Run;
  isBusy: boolean;
  problem: string | undefined;
  start(run: Run): Promise<void>;
  onLeave(): void;
}

const someNames = (some: Run['refused']): string =>
  some
    .slice(0, 3)
    .map(({ name, id }) => shortened(name || id))
    .join(', ') + (some.length > 3 ? ', …' : '');

/** The way from a try to what has become of the records. */
function ManyDialog({ run, isBusy, problem, start, onLeave }: DialogProps) {
  const [{ name, text }, setField] = useState({ name: '', text: '' });
  const { type, action, isTry, isOver, looked, refused, total } = run;
  const { act, past, keep } = words[action];
  const { history } = useAbout();
  const fields = shownFields(type).filter(({ secret }) => !secret);
  const field = fields.find((each) => each.name === name);
  const done = looked - refused.length;
  const isForm = action === 'UPDATE' && looked === 0 && !isBusy;
  let next = { words: 'Go on', canAct: true, run };
  if (isForm) {
    const input = field && { [name]: valueIn(field, text) };
    next = { words: 'Try it', canAct: !!input, run: { ...run, ...begun, ...(input && { input }) } };
  } else if (isOver) {
    next = {
      words: `${action === 'UPDATE' ? 'Change' : act} ${numbered(done)}`,
      canAct: done > 0,
      run: { ...run, ...begun, isTry: false },
    };
  }
  const kind = action === 'DELETE' || action === 'CANCEL' ? 'danger' : 'main';
  const rows = [['id', 'name', 'reason'], ...refused.map(({ id, name, reason }) => [id, name, reason])];
  const save = () => saveFile(`${type.slug}-not-${past}.csv`, rows.map(csvLine));
  return (
    <Dialog
      title={`${act}: ${numbered(total)} of ${type.title}`}
      onClose={onLeave}
      leave={{ words: isBusy ? 'Stop' : isTry ? keep : 'Close' }}
      act={isBusy || (isOver && !isTry) ? undefined : { ...next, kind, onClick: () => void start(next.run) }}
    >
      {isForm ? (
        <>
          <Select
            label="Field"
            value={name}
            options={[['', 'Which field…'], ...fields.map((each) => [each.name, labelOf(each.name)] as const)]}
            onChange={(chosen) => setField({ name: chosen, text: '' })}
          />
          {field && (
            <FieldInput key={name} {...{ field, text, problem }} onChange={(name, text) => setField({ name, text })} />
          )}
        </>
      ) : (
        <>
          <Progress done={looked} total={total} word={isTry ? 'tried and taken back' : 'gone through'} />
          <p>
            <strong>{`${numbered(done)} ${isTry ? 'would be' : done === 1 ? 'was' : 'were'} ${past}`}</strong>
            {refused.length > 0 && `, ${numbered(refused.length)} ${isTry ? 'would stay' : 'stayed'} as they are:`}
          </p>
          <ul className="names">
            {[...Map.groupBy(refused, ({ reason }) => reason)].map(([reason, some]) => (
              <li key={reason}>
                <strong>{numbered(some.length)}</strong> · {reason} <span className="soft">{someNames(some)}</span>
              </li>
            ))}
          </ul>
          {refused.length > 0 && (
            <p className="stays">
              <Button icon="download" onClick={save}>
                What {isTry ? 'would' : 'did'} not work, as CSV
              </Button>
            </p>
          )}
          {isTry && action === 'DELETE' && (
            <p className="notice bad">
              With their lines, for good.{' '}
              {history && 'Each can be made again at its old address, as a draft with a new id.'}
            </p>
          )}
          {isTry && action === 'UPDATE' && type.hasStates && (
            <p className="notice">Submitted ones are changed, too: others may have acted on what they say.</p>
          )}
          {isTry && 'where' in run.chosen && (
            <p className="soft">
              Each record that fulfils the filter when its turn comes is among them, also one that does so only since
              now.
            </p>
          )}
          <Problem>{problem}</Problem>
        </>
      )}
    </Dialog>
  );
}
