import { type FormEvent, useRef, useState } from 'react';
import type { FieldAbout, TypeAbout } from '../../../about.js';
import { Button } from '../../ui/button.js';
import { ComboBox, type TextFieldProps } from '../../ui/combo-box.js';
import { Select } from '../../ui/controls.js';
import { Icon } from '../../ui/icon.js';
import {
  type Condition,
  conditionWords,
  keyOf,
  needsDay,
  needsNoValue,
  operatorsOf,
  pairOf,
  typedValue,
  wordsOf,
} from './conditions.js';
import { fieldOf, listFields } from './list-state.js';
import { labelOf } from './rows.js';

interface Props {
  type: TypeAbout;
  conditions: Condition[];
  match: string | undefined;
  onChange(change: { conditions?: Condition[]; match?: string | undefined }): void;
}

/** The conditions of a list, each with a way to take it away, and a form for one more. */
export function FilterBar({ type, conditions, match, onChange }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const remove = (gone: number) => {
    onChange({ conditions: conditions.filter((_, other) => other !== gone) });
    // The button is gone, and the keyboard would begin at the top of the page again.
    place.current?.querySelector<HTMLSelectElement>('.new-filter select')?.focus();
  };
  return (
    <div ref={place} className="filters">
      {conditions.length > 1 && (
        <Select
          label="How many of the filters"
          value={match ?? 'all'}
          options={Object.entries({ all: 'All of', any: 'Any of' })}
          onChange={(value) => onChange({ match: value === 'any' ? value : undefined })}
        />
      )}
      {conditions.map((condition, index) => (
        <button key={keyOf(condition)} type="button" className="small chip" onClick={() => remove(index)}>
          {labelOf(condition.field)} {conditionWords(condition)} <Icon name="cancel" label="Remove this filter" />
        </button>
      ))}
      <NewCondition
        type={type}
        onAdd={(condition) =>
          onChange({ conditions: [...conditions.filter((other) => keyOf(other) !== keyOf(condition)), condition] })
        }
      />
    </div>
  );
}

function NewCondition({ type, onAdd }: { type: TypeAbout; onAdd(condition: Condition): void }) {
  const [draft, setDraft] = useState({ name: type.fields[0]?.name ?? '', operator: '', value: '', second: '' });
  const { name, operator, value, second } = draft;
  const field = fieldOf(type, name);
  const operators = field ? operatorsOf(field) : [];
  const chosen = operators.includes(operator) ? operator : (operators[0] ?? 'eq');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!needsNoValue(chosen) && (!value || (chosen === 'between' && !second))) return;
    const given =
      chosen === 'between' ? pairOf(typedValue(field, value), typedValue(field, second)) : typedValue(field, value);
    onAdd({ field: name, operator: chosen, value: needsNoValue(chosen) ? '' : given });
    setDraft({ ...draft, value: '', second: '' });
  };
  const valueField = (label: string, part: 'value' | 'second') => (
    <ValueField
      {...{ field, operator: chosen }}
      aria-label={label}
      value={draft[part]}
      onChange={(text) => setDraft({ ...draft, [part]: text })}
    />
  );

  return (
    <form className="new-filter" onSubmit={submit}>
      <Select
        label="Field"
        value={name}
        options={listFields(type).map((each) => [each.name, labelOf(each.name)])}
        // What was typed for another field is no value of a field with fixed choices, such as yes and no.
        onChange={(next) => setDraft({ name: next, operator: '', value: '', second: '' })}
      />
      <Select
        label="Comparison"
        value={chosen}
        options={operators.map((each) => [each, wordsOf(each)])}
        onChange={(next) => setDraft({ ...draft, operator: next })}
      />
      {!needsNoValue(chosen) && valueField('Value', 'value')}
      {chosen === 'between' && valueField('And', 'second')}
      <Button type="submit" icon="filter">
        Filter
      </Button>
    </form>
  );
}

/** A value to compare with: a day from a calendar, one of few values, or a text with those that are known. */
function ValueField({
  field,
  operator,
  ...rest
}: TextFieldProps & { field: FieldAbout | undefined; operator: string }) {
  const { value, onChange, 'aria-label': label = '' } = rest;
  if (needsDay(field, operator)) {
    return <input type="date" aria-label={label} value={value} onChange={(event) => onChange(event.target.value)} />;
  }
  const known = field?.knownValues ?? [];
  if (field?.isState || field?.type === 'Boolean') {
    const choices = field.isState
      ? known.map((state) => [state, state] as const)
      : Object.entries({ true: 'yes', false: 'no' });
    return <Select label={label} value={value} options={[['', '—'], ...choices]} onChange={onChange} />;
  }
  return <ComboBox {...rest} options={known.map((value) => ({ value }))} />;
}
