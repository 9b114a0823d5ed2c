import { type FormEvent, useRef, useState } from 'react';
import type { FieldAbout, TypeAbout } from '../../about.js';
import { type Condition, operatorsOf, operatorWords, wordsOf } from './list-state.js';
import { labelOf } from './rows.js';

interface Props {
  type: TypeAbout;
  conditions: Condition[];
  onChange(conditions: Condition[]): void;
}

/** The conditions of a list, each with a way to take it away, and a form for one more. */
export function FilterBar({ type, conditions, onChange }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const remove = (gone: number) => {
    onChange(conditions.filter((_, other) => other !== gone));
    // The button is gone, and the keyboard would begin at the top of the page again.
    place.current?.querySelector('select')?.focus();
  };
  return (
    <div ref={place} className="filters">
      {conditions.map((condition, index) => (
        <button key={keyOf(condition)} type="button" className="small chip" onClick={() => remove(index)}>
          {labelOf(condition.field)} {wordsOf(condition)}
          <span aria-hidden="true"> ×</span>
          <span className="unseen"> Remove this filter</span>
        </button>
      ))}
      <NewCondition
        type={type}
        onAdd={(condition) => onChange([...conditions.filter((other) => keyOf(other) !== keyOf(condition)), condition])}
      />
    </div>
  );
}

/** The only values of a field, with the words for them; undefined for a field that may hold anything. */
function choicesOf({ type, isState, knownValues }: FieldAbout): [value: string, words: string][] | undefined {
  if (isState) return knownValues.map((state) => [state, state]);
  return type === 'Boolean'
    ? [
        ['true', 'yes'],
        ['false', 'no'],
      ]
    : undefined;
}

const keyOf = ({ field, operator, value }: Condition): string => `${field} ${operator} ${value}`;

function NewCondition({ type, onAdd }: { type: TypeAbout; onAdd(condition: Condition): void }) {
  const [name, setName] = useState(type.fields[0]?.name ?? '');
  const [operator, setOperator] = useState('contains');
  const [value, setValue] = useState('');
  const field = type.fields.find((each) => each.name === name);
  const operators = field ? operatorsOf(field) : [];
  const choices = field && choicesOf(field);
  const chosen = operators.includes(operator) ? operator : (operators[0] ?? 'eq');

  const choose = (next: string) => {
    setName(next);
    // What was typed for another field is no value of a field with fixed choices, such as yes and no.
    setValue('');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!value && chosen !== 'isNull') return;
    onAdd({ field: name, operator: chosen, value: chosen === 'isNull' ? 'true' : value });
    setValue('');
  };

  return (
    <form className="new-filter" onSubmit={submit}>
      <select aria-label="Field" value={name} onChange={(event) => choose(event.target.value)}>
        {type.fields.map((each) => (
          <option key={each.name} value={each.name}>
            {labelOf(each.name)}
          </option>
        ))}
      </select>
      <select aria-label="Comparison" value={chosen} onChange={(event) => setOperator(event.target.value)}>
        {operators.map((each) => (
          <option key={each} value={each}>
            {operatorWords[each]}
          </option>
        ))}
      </select>
      {chosen !== 'isNull' && choices && (
        <select aria-label="Value" value={value} onChange={(event) => setValue(event.target.value)}>
          <option value="">—</option>
          {choices.map(([choice, words]) => (
            <option key={choice} value={choice}>
              {words}
            </option>
          ))}
        </select>
      )}
      {chosen !== 'isNull' && !choices && (
        <input
          aria-label="Value"
          list="known-values"
          inputMode={field?.type === 'Float' || field?.type === 'Int' ? 'decimal' : undefined}
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
      )}
      <datalist id="known-values">
        {(field?.knownValues ?? []).map((known) => (
          <option key={known} value={known} />
        ))}
      </datalist>
      <button type="submit">Filter</button>
    </form>
  );
}
