import { useId, useState } from 'react';
import type { FieldAbout } from '../../about.js';
import { labelOf } from './rows.js';

interface Props {
  field: FieldAbout;
  text: string;
  problem: string | undefined;
  onChange(text: string): void;
}

/** The inputs of a form, for where the keyboard is to begin. */
export const focusable = 'input, select, textarea';

/** Whether a text needs the width of the page. */
export const isLongText = (value: unknown): boolean =>
  typeof value === 'string' && (value.length > 120 || value.includes('\n'));

/** One field of a form, with what is wrong with it. */
export function FieldInput({ field, text, problem, onChange }: Props) {
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
      ) : (
        <input
          {...shared}
          list={field.knownValues.length > 0 ? `${id}-known` : undefined}
          inputMode={field.type === 'String' ? undefined : 'decimal'}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {field.knownValues.length > 0 && (
        <datalist id={`${id}-known`}>
          {field.knownValues.map((known) => (
            <option key={known} value={known} />
          ))}
        </datalist>
      )}
      <p className="problem" id={`${id}-problem`}>
        {problem}
      </p>
    </div>
  );
}
