import { type FormEvent, type KeyboardEvent, useCallback, useEffect, useId, useRef } from 'react';
import { type FieldAbout, typeCalled } from '../../../about.js';
import { useAbout } from '../../api/graphql.js';
import { useUnsaved } from '../../router.js';
import { Button } from '../../ui/button.js';
import { placingFields } from './draft.js';
import { FieldInput } from './field-input.js';
import { LinesGrid } from './lines-grid.js';
import { SaveDialog } from './save-dialog.js';
import { type FormProps, type RecordFormState, useRecordForm } from './use-record-form.js';

/** The inputs of a form, for where the keyboard is to begin. */
const focusable = ':is(input, select, textarea):not([aria-hidden])';

/** A record with its lines, new or to be edited, saved whole. */
export function RecordForm(props: FormProps) {
  const { type, record, onCancel } = props;
  const about = useAbout();
  const form = useRecordForm(props);
  const place = useRef<HTMLFormElement>(null);
  const { draft, problems, problemAt, change, isNew } = form;
  useUnsaved(form.isTyped);

  // The button that opened the form is gone, and the keyboard would begin at the top of the page again.
  useEffect(() => place.current?.querySelector<HTMLElement>(focusable)?.focus(), []);

  const setField = useCallback(
    (name: string, text: string) => change((before) => ({ ...before, fields: { ...before.fields, [name]: text } })),
    [change],
  );
  useEffect(() => {
    if (problems.length === 0) return;
    // After the dialog of the try has given the keyboard back to the button.
    const focus = () => place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    const timer = setTimeout(focus, 50);
    return () => clearTimeout(timer);
  }, [problems]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void form.tryOut();
  };
  const saveByKey = (event: KeyboardEvent) => {
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    place.current?.requestSubmit();
  };
  const called = new Map(type.fields.map((field) => [field.name, field]));
  const groups = [
    { heading: 'What it belongs to', fields: isNew ? placingFields(type) : [] },
    ...type.groups.map(({ heading, fields }) => ({
      heading,
      fields: fields.flatMap((name) => called.get(name) ?? []),
    })),
  ].filter(({ fields }) => fields.length > 0);

  return (
    <form ref={place} className="record-form" onSubmit={submit} onKeyDown={saveByKey} noValidate>
      <div className="action-bar save-bar">
        <Button type="submit" kind="main">
          {isNew ? 'Create…' : 'Save…'}
        </Button>
        <Button onClick={onCancel}>{isNew ? 'Discard' : 'Discard changes'}</Button>
        <Problems form={form} />
      </div>
      {record.status === 'SUBMITTED' && type.hasStates && (
        <p className="notice">
          This {type.title} is submitted: others may have acted on what it says. Your change goes into its history.
        </p>
      )}
      <section className="form-groups" aria-label="Fields">
        {groups.map(({ heading, fields }) => (
          <Group key={heading} heading={heading} fields={fields} form={form} onChange={setField} />
        ))}
      </section>
      {form.canSaveLines &&
        type.lines.map(({ model, field }) => {
          const own = typeCalled(about, model);
          const lines = draft.lines[field] ?? [];
          return own && <LinesGrid key={field} list={field} type={own} {...{ lines, problems, problemAt, change }} />;
        })}
      {(form.isTrying || form.found) && <SaveDialog form={form} {...props} onClose={form.close} />}
    </form>
  );
}

interface GroupProps {
  heading: string;
  fields: FieldAbout[];
  form: RecordFormState;
  onChange(name: string, text: string): void;
}

/** Fields that belong together. */
function Group({ heading, fields, form: { draft, problemAt }, onChange }: GroupProps) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      <div className="form-fields">
        {fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            text={draft.fields[field.name] ?? ''}
            problem={problemAt(`input.${field.name}`)}
            onChange={onChange}
          />
        ))}
      </div>
    </section>
  );
}

/** The most problems that are listed above the form; all stand at their fields. */
const mostListed = 3;

/** What is wrong, in sight wherever the form is scrolled to. */
function Problems({ form: { problem, problems } }: { form: RecordFormState }) {
  return (
    <div className="problem" role="alert">
      {problem && <p>{problem}</p>}
      {problems.slice(0, mostListed).map(({ place, words }) => (
        <p key={place}>{words}</p>
      ))}
      {problems.length > mostListed && <p>and {(problems.length - mostListed).toLocaleString('en')} more</p>}
    </div>
  );
}
