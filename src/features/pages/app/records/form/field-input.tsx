import { memo, useId, useLayoutEffect, useRef, useState } from 'react';
import type { FieldAbout } from '../../../about.js';
import { ComboBox, type TextFieldProps } from '../../ui/combo-box.js';
import { DateField } from '../../ui/date-field.js';
import { isLongText, labelOf } from '../list/rows.js';
import { numberIn, numberText, readersDecimal, twofold } from './draft.js';
import { LinkField } from './link-field.js';

interface InputProps {
  field: FieldAbout;
  text: string;
  problem: string | undefined;
  /** Stays the same function, so that a field is drawn again only where it has changed. */
  onChange(name: string, text: string): void;
}

/** One field of a form, with what is wrong with it. */
export const FieldInput = memo(function FieldInput({ field, text, problem, onChange }: InputProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>
        {labelOf(field.name)}
        {field.required && <span aria-hidden="true"> *</span>}
      </label>
      <FieldControl
        field={field}
        id={id}
        value={text}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem`}
        title={field.description}
        onChange={(value) => onChange(field.name, value)}
      />
      <p className="problem" id={`${id}-problem`}>
        {problem}
      </p>
    </div>
  );
});

/** Names of texts that people write in sentences. */
const longNames = /^(description|remarks|terms|actionsPerformed)$/;

interface ControlProps extends TextFieldProps {
  field: FieldAbout;
  /** It is one of many, in the grid of lines: what it may do without, it does without. */
  isCell?: boolean;
}

/** What a value is typed into or chosen with, by what the field holds. */
export function FieldControl({ field, isCell, ...given }: ControlProps) {
  const { value, onChange } = given;
  const shared = { ...given, 'aria-required': field.required };
  // A field of one line would lose the line breaks of a text. What it begins as, it stays while somebody types.
  const [isLong] = useState(isLongText(value) || (!isCell && longNames.test(field.name)));
  if (field.type === 'Boolean') {
    return (
      <select {...shared} onChange={(event) => onChange(event.target.value)}>
        {/* Without it, the browser would show the first of the others for a line that does not say yet. */}
        {(field.nullable || value === '') && <option value="">—</option>}
        <option value="true">yes</option>
        <option value="false">no</option>
      </select>
    );
  }
  if (field.type !== 'String') return <NumberField {...shared} />;
  if (isLong || value.includes('\n')) {
    return <textarea {...shared} rows={isCell ? 1 : 5} onChange={(event) => onChange(event.target.value)} />;
  }
  if (field.link) return <LinkField {...shared} link={field.link} isCell={isCell} />;
  if (field.formats) return <DateField {...shared} formats={field.formats} />;
  if (field.knownValues.length > 0) {
    return <ComboBox {...shared} options={field.knownValues.map((known) => ({ value: known }))} />;
  }
  return <input {...shared} onChange={(event) => onChange(event.target.value)} />;
}

/** A number: as people read it, and as it was typed while the keyboard is in it. */
function NumberField({ value, onChange, ...field }: TextFieldProps) {
  const [isIn, setIsIn] = useState(false);
  const place = useRef<HTMLInputElement>(null);
  // The text may be another one now, of which nothing would be selected.
  useLayoutEffect(() => (isIn ? place.current?.select() : undefined), [isIn]);
  const number = numberIn(value);
  return (
    <>
      <input
        {...field}
        ref={place}
        className="number"
        inputMode="decimal"
        value={isIn || typeof number === 'string' ? value : numberText(number)}
        onFocus={() => setIsIn(true)}
        onBlur={() => setIsIn(false)}
        onChange={(event) => onChange(event.target.value)}
      />
      {!isIn && typeof number === 'string' && number.trim() !== '' && (
        <p className="warning">{warningOfNumber(number)}</p>
      )}
    </>
  );
}

function warningOfNumber(text: string): string {
  const [, whole, sign, part] = twofold.exec(text.trim()) ?? [];
  if (!whole) return 'This is no number.';
  return `Is it ${whole}${part} or ${whole}${readersDecimal}${part}? Write it without the ${sign === ',' ? 'comma' : 'point'}.`;
}
