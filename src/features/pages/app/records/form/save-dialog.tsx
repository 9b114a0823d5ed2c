import { Table } from '../../ui/controls.js';
import { Dialog } from '../../ui/dialog.js';
import { CopyBar } from '../copy-bar.js';
import { labelOf, Value } from '../list/rows.js';
import { createOperation, saveOperation } from '../operations.js';
import type { RecordValues } from './draft.js';
import type { FormProps, RecordFormState } from './use-record-form.js';

type Props = FormProps & { form: RecordFormState };

/** What a save would change; or, where somebody else was faster, what both have changed. */
export function SaveDialog(props: Props) {
  const { form, type, record } = props;
  const { now, changes: tried } = form.found ?? {};
  if (now) return <Conflict {...props} now={now} />;
  const variables = { id: record.id, input: form.input, expectedVersion: record.version };
  const [act, acting] = form.isNew ? ['Create', 'Creating…'] : ['Save', 'Saving…'];
  return (
    <Dialog
      title={`${act} this ${type.title}?`}
      isBusy={form.isBusy}
      onClose={form.close}
      leave={{ words: 'Go on editing' }}
      act={{ words: form.isBusy ? acting : act, canAct: !!tried, onClick: () => void form.save() }}
    >
      <p className="soft" role="status">
        {form.isNew
          ? 'It begins with this, and with the defaults of the rest:'
          : tried
            ? `${form.canSaveLines ? 'The gateway has checked it without saving. It' : 'It'} would change:`
            : 'The gateway is checking it without saving…'}
      </p>
      <ul className="names">
        {tried?.fields.map((name) => (
          <li key={name}>
            {labelOf(name)}: {!form.isNew && <Value value={record[name]} />}
            {!form.isNew && ' → '}
            <strong>
              <Value value={form.input[name]} />
            </strong>
          </li>
        ))}
        {tried?.lines.map(({ list, created, updated, deleted }) => (
          <li key={list}>
            {labelOf(list)}: {created} added, {updated.length} changed, {deleted.length} removed
          </li>
        ))}
      </ul>
      {tried && (
        <CopyBar
          operation={form.isNew ? createOperation(type, form.input) : saveOperation(type, variables)}
          isSecret={type.fields.some(({ name, secret }) => secret && name in form.input)}
        />
      )}
    </Dialog>
  );
}

function Conflict({ form, type, record, now, onReload }: Props & { now: RecordValues }) {
  const changedLists = type.lines.filter(({ field }) => JSON.stringify(now[field]) !== JSON.stringify(record[field]));
  const differing = type.fields.filter(({ name }) => now[name] !== record[name] || name in form.input);
  return (
    <Dialog
      title="Somebody else has changed it"
      isBusy={form.isBusy}
      onClose={form.close}
      leave={{ words: 'Take the newer one', onClick: onReload }}
      act={{
        words: form.isBusy ? 'Saving…' : 'Save my changes over it',
        canAct: true,
        onClick: () => void form.saveOver(now),
      }}
    >
      <p className="soft">
        You began with version {record.version}; by now it is version {now.version}. Nothing has been saved.
      </p>
      <Table
        columns={[
          { label: 'Field', cell: ({ name }) => labelOf(name) },
          { label: 'Now', cell: (field) => <Value field={field} value={now[field.name]} /> },
          {
            label: 'Yours',
            cell: ({ name }) =>
              name in form.input ? form.draft.fields[name] || '—' : <span className="soft">unchanged</span>,
          },
        ]}
        rows={differing}
        keyOf={({ name }) => name}
      />
      {changedLists.map(({ field }) => (
        <p key={field} className="notice">
          {labelOf(field)} were changed too. Saved over it, theirs stay, and your changes are added to them.
        </p>
      ))}
    </Dialog>
  );
}
