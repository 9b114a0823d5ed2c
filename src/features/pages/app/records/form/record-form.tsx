import { type FormEvent, type KeyboardEvent, useCallback, useEffect, useRef } from 'react';
import { listsOf } from '../../../about.js';
import { useAbout } from '../../api/graphql.js';
import { useUnsaved } from '../../router.js';
import { Button } from '../../ui/button.js';
import { groupsIn, placingFields, type RecordProps } from './draft.js';
import { FieldInput } from './field-input.js';
import { LinesGrid } from './lines-grid.js';
import { SaveDialog } from './save-dialog.js';
import { type FormProps, useRecordForm } from './use-record-form.js';

/** The inputs of a form, for where the keyboard is to begin. */
const focusable = ':is(input, select, textarea):not([aria-hidden])';

/** The most problems that are listed above the form; all stand at their fields. */
const mostListed = 3;

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
    // The dialog is a part of the form for React: what it shows is not tried again.
    if (!form.isTrying && !form.found) place.current?.requestSubmit();
  };
  const groups = [
    { heading: 'What it belongs to', fields: isNew ? placingFields(type) : [] },
    ...groupsIn(type),
  ].filter(({ fields }) => fields.length > 0);

  return (
    <form ref={place} className="record-form" onSubmit={submit} onKeyDown={saveByKey} noValidate>
      <div className="action-bar save-bar">
        <Button type="submit" kind="main">
          {isNew ? 'Create…' : 'Save…'}
        </Button>
        <Button onClick={onCancel}>{isNew ? 'Discard' : 'Discard changes'}</Button>
        {/* In sight wherever the form is scrolled to. */}
        <div className="problem" role="alert">
          {form.problem && <p>{form.problem}</p>}
          {problems.slice(0, mostListed).map(({ place, words }) => (
            <p key={place}>{words}</p>
          ))}
          {problems.length > mostListed && <p>and {(problems.length - mostListed).toLocaleString()} more</p>}
        </div>
      </div>
      <SubmittedNotice {...{ type, record }} />
      <section className="form-groups" aria-label="Fields">
        {groups.map(({ heading, fields }) => (
          <section key={heading} className="card" aria-label={heading}>
            <h2>{heading}</h2>
            <div className="form-fields">
              {fields.map((field) => (
                <FieldInput
                  key={field.name}
                  field={field}
                  text={draft.fields[field.name] ?? ''}
                  problem={problemAt(`input.${field.name}`)}
                  onChange={setField}
                />
              ))}
            </div>
          </section>
        ))}
      </section>
      {form.canSaveLines &&
        listsOf(type, about).map(({ own, field }) => {
          const lines = draft.lines[field] ?? [];
          return <LinesGrid key={field} list={field} type={own} {...{ lines, problems, problemAt, change }} />;
        })}
      {(form.isTrying || form.found) && <SaveDialog form={form} {...props} />}
    </form>
  );
}

/** What is said before a submitted document is changed. */
export const SubmittedNotice = ({ type, record }: RecordProps) =>
  record.status === 'SUBMITTED' &&
  type.hasStates && (
    <p className="notice">
      This {type.title} is submitted: others may have acted on what it says. Your change goes into its history.
    </p>
  );
