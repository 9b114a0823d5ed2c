/**
 * Dates that are texts: what other systems have written stays as it is, and so does what people write. Beside the text is the
 * browser's own picker, in the language of the reader; React Aria's and others' date fields hold nothing but dates.
 */
import { useId, useRef } from 'react';
import { Button } from './button.js';
import type { TextFieldProps } from './combo-box.js';

interface DateFieldProps extends TextFieldProps {
  /** What its texts are meant to be: days, instants such as `2026-03-31T14:30:00Z`, or either. */
  formats: readonly ('date' | 'date-time')[];
}

export function DateField({ formats, value, onChange, ...field }: DateFieldProps) {
  // Where either may stand, days are chosen, unless there is an instant already.
  const isDay = formats.includes('date') && !(formats.includes('date-time') && isInstantText(value));
  const picker = useRef<HTMLInputElement>(null);
  const id = useId();
  const picked = (text: string) => onChange(isDay || !text ? text : new Date(text).toISOString());
  return (
    <div className="date-field">
      <input
        {...field}
        aria-describedby={[field['aria-describedby'], id].filter(Boolean).join(' ')}
        value={value}
        placeholder={isDay ? 'YYYY-MM-DD' : 'YYYY-MM-DDThh:mm:ssZ'}
        onChange={(event) => onChange(event.target.value)}
      />
      <Button kind="quiet" icon="date" aria-label="Choose a date" onClick={() => picker.current?.showPicker()} />
      {/* Only its picker is seen: the text says what is chosen. */}
      <input
        ref={picker}
        className="date-picker"
        type={isDay ? 'date' : 'datetime-local'}
        tabIndex={-1}
        aria-hidden="true"
        value={pickerText(value, isDay)}
        onChange={(event) => picked(event.target.value)}
      />
      <p id={id} className="warning">
        {warningOf(value, formats)}
      </p>
    </div>
  );
}

const day = /^(\d{4})-(\d\d)-(\d\d)$/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** Whether there is such a day: 30 February is none. */
const isDayText = (text: string): boolean =>
  day.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);

const isInstantText = (text: string): boolean =>
  instant.test(text) && isDayText(text.slice(0, 10)) && !Number.isNaN(Date.parse(text));

/** What the picker begins with; empty where the text is no date. */
function pickerText(text: string, isDay: boolean): string {
  if (isDay) return isDayText(text) ? text : '';
  return isInstantText(text) ? clockText(new Date(text)).replace(' ', 'T') : '';
}

/** A day and its minute by the clock of the reader, as Swedes write them: 2026-03-31 14:30. */
export const clockText = (at: Date): string => at.toLocaleString('sv').slice(0, 16);

/** Says that a text is no date, which does not keep anybody from saving it. */
function warningOf(text: string, formats: DateFieldProps['formats']): string | undefined {
  const isMeant =
    (formats.includes('date') && isDayText(text)) || (formats.includes('date-time') && isInstantText(text));
  if (text === '' || isMeant) return undefined;
  const example = formats.includes('date') ? '2026-03-31' : '2026-03-31T14:30:00Z';
  return `This is no date like ${example}. It can be saved, but is not found as a date.`;
}
