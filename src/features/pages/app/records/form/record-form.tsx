import { type FormEvent, memo, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { type FieldAbout, type TypeAbout, typeCalled } from '../../../about.js';
import { useAbout } from '../../api/graphql.js';
import { useUnsaved } from '../../router.js';
import { ComboBox } from '../../ui/combo-box.js';
import { DateField } from '../../ui/date-field.js';
import { isLongText, labelOf } from '../list/rows.js';
import { type Draft, formFields, type Line } from './draft.js';
import { SaveDialog } from './save-dialog.js';
import { type FormProps, type RecordFormState, useRecordForm } from './use-record-form.js';

/** The inputs of a form, for where the keyboard is to begin. */
const focusable = ':is(input, select, textarea):not([aria-hidden])';

/** A record with its lines, to be edited and saved whole. */
export function RecordForm(props: FormProps) {
  const { type, onCancel } = props;
  const about = useAbout();
  const form = useRecordForm(props);
  const place = useRef<HTMLFormElement>(null);
  const { draft, problemAt } = form;
  useUnsaved(Object.keys(form.input).length > 0);

  // The button that opened the form is gone, and the keyboard would begin at the top of the page again.
  useEffect(() => place.current?.querySelector<HTMLElement>(focusable)?.focus(), []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void form.tryOut();
  };

  return (
    <form ref={place} className="record-form" onSubmit={submit} noValidate>
      <div className="action-bar">
        <button type="submit" className="main">
          Save…
        </button>
        <button type="button" onClick={onCancel}>
          Discard changes
        </button>
        <p className="problem" role="alert">
          {form.problem}
        </p>
      </div>
      <section className="card form-fields" aria-label="Fields">
        {formFields(type)
          .filter(({ isState }) => !isState)
          .map((field) => (
            <FieldInput
              key={field.name}
              field={field}
              text={draft.fields[field.name] ?? ''}
              problem={problemAt(`input.${field.name}`)}
              onChange={(text) => form.change({ ...draft, fields: { ...draft.fields, [field.name]: text } })}
            />
          ))}
      </section>
      {form.canSaveLines &&
        type.lines.map(({ model, field }) => {
          const own = typeCalled(about, model);
          const lines = draft.lines[field] ?? [];
          return (
            own && (
              <LinesForm key={field} list={field} type={own} lines={lines} problemAt={problemAt} change={form.change} />
            )
          );
        })}
      {(form.isTrying || form.found) && <SaveDialog form={form} {...props} onClose={form.close} />}
    </form>
  );
}

/** `problemAt` and `change` stay the same functions while nothing is wrong and the form is open. */
interface LinesProps extends Pick<RecordFormState, 'problemAt' | 'change'> {
  list: string;
  type: TypeAbout;
  lines: Line[];
}

/** How many lines are shown before somebody asks for all: thousands of fields take the browser seconds to draw. */
const first = 25;

/** The lines of a record: changed, added and taken away. */
function LinesForm({ list, type, lines, problemAt, change }: LinesProps) {
  const title = labelOf(list);
  const [isWhole, setIsWhole] = useState(false);
  const adding = useRef<HTMLButtonElement>(null);
  const place = (index: number) => `input.${list}[${index}]`;
  const isShown = (line: Line, index: number) =>
    isWhole || index < first || !line.id || formFields(type).some(({ name }) => problemAt(`${place(index)}.${name}`));
  const hidden = lines.filter((line, index) => !isShown(line, index)).length;
  const add = () =>
    change((draft) =>
      withLines(draft, list, (before) => [...before, { place: `new ${performance.now()}`, fields: {} }]),
    );
  return (
    <section className="card" aria-label={title}>
      <h2>{title}</h2>
      {lines.map(
        (line, index) =>
          isShown(line, index) && (
            <LineForm key={line.place} {...{ list, type, line, index, problemAt, change, adding }} />
          ),
      )}
      {hidden > 0 && (
        <p>
          <button type="button" onClick={() => setIsWhole(true)}>
            Show the other {hidden.toLocaleString('en')} lines
          </button>
        </p>
      )}
      <button ref={adding} type="button" onClick={add}>
        Add a line
      </button>
    </section>
  );
}

const withLines = (draft: Draft, list: string, change: (lines: Line[]) => Line[]): Draft => ({
  ...draft,
  lines: { ...draft.lines, [list]: change(draft.lines[list] ?? []) },
});

interface LineProps extends Omit<LinesProps, 'lines'> {
  line: Line;
  index: number;
  /** The button that adds lines, where the keyboard goes on when this line is taken away. */
  adding: RefObject<HTMLButtonElement | null>;
}

/** One line in the form of its record. Drawn again only where it has changed: a document may have thousands. */
const LineForm = memo(function LineForm({ list, type, line, index, problemAt, change, adding }: LineProps) {
  const place = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    // After a line is added, the keyboard is in it.
    if (!line.id) place.current?.querySelector<HTMLElement>(focusable)?.focus();
  }, [line.id]);
  const set = (name: string, text: string) =>
    change((draft) =>
      withLines(draft, list, (lines) =>
        lines.map((each) => (each.place === line.place ? { ...each, fields: { ...each.fields, [name]: text } } : each)),
      ),
    );
  const remove = () => {
    change((draft) => withLines(draft, list, (lines) => lines.filter((each) => each.place !== line.place)));
    adding.current?.focus();
  };
  return (
    <fieldset ref={place} className="line-form">
      <legend>Line {index + 1}</legend>
      <div className="form-fields">
        {formFields(type).map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            text={line.fields[field.name] ?? ''}
            problem={problemAt(`input.${list}[${index}].${field.name}`)}
            onChange={(text) => set(field.name, text)}
          />
        ))}
      </div>
      <button type="button" className="small" onClick={remove}>
        Remove this line
      </button>
    </fieldset>
  );
});

interface InputProps {
  field: FieldAbout;
  text: string;
  problem: string | undefined;
  onChange(text: string): void;
}

/** One field of a form, with what is wrong with it. */
function FieldInput({ field, text, problem, onChange }: InputProps) {
  const id = useId();
  // A field of one line would lose the line breaks of a text. What it begins as, it stays while somebody types.
  const [isLong] = useState(() => isLongText(text));
  const shared = {
    id,
    value: text,
    'aria-invalid': problem !== undefined,
    'aria-describedby': `${id}-problem`,
    title: field.description,
  };
  return (
    <div className={isLong ? 'field long' : 'field'}>
      <label htmlFor={id}>
        {labelOf(field.name)}
        {field.required && <span aria-hidden="true"> *</span>}
      </label>
      {field.type === 'Boolean' ? (
        <select {...shared} onChange={(event) => onChange(event.target.value)}>
          {/* Without it, the browser would show the first of the others for a line that does not say yet. */}
          {(field.nullable || text === '') && <option value="">—</option>}
          <option value="true">yes</option>
          <option value="false">no</option>
        </select>
      ) : isLong ? (
        <textarea {...shared} rows={5} onChange={(event) => onChange(event.target.value)} />
      ) : field.formats ? (
        <DateField {...shared} formats={field.formats} onChange={onChange} />
      ) : field.knownValues.length > 0 ? (
        <ComboBox {...shared} options={field.knownValues.map((known) => ({ value: known }))} onChange={onChange} />
      ) : (
        <input
          {...shared}
          inputMode={field.type === 'String' ? undefined : 'decimal'}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      <p className="problem" id={`${id}-problem`}>
        {problem}
      </p>
    </div>
  );
}
