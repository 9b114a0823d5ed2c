import { type FormEvent, useState } from 'react';
import type { TypeAbout } from '../../about.js';
import { type Condition, operatorsOf, operatorWords } from './list-state.js';
import { labelOf } from './value.js';

interface Props {
  type: TypeAbout;
  conditions: Condition[];
  onChange(conditions: Condition[]): void;
}

/** The conditions of a list, each with a way to take it away, and a form for one more. */
export function FilterBar({ type, conditions, onChange }: Props) {
  return (
    <div className="filters">
      {conditions.map((condition, index) => (
        <button
          key={`${condition.field} ${condition.operator} ${condition.value}`}
          type="button"
          className="small chip"
          onClick={() => onChange(conditions.filter((_, other) => other !== index))}
        >
          {labelOf(condition.field)} {operatorWords[condition.operator] ?? condition.operator}{' '}
          {condition.operator === 'isNull' ? '' : condition.value}
          <span aria-hidden="true"> ×</span>
          <span className="unseen"> Remove this filter</span>
        </button>
      ))}
      <NewCondition type={type} onAdd={(condition) => onChange([...conditions, condition])} />
    </div>
  );
}

function NewCondition({ type, onAdd }: { type: TypeAbout; onAdd(condition: Condition): void }) {
  const [name, setName] = useState(type.fields[0]?.name ?? '');
  const [operator, setOperator] = useState('contains');
  const [value, setValue] = useState('');
  const field = type.fields.find((each) => each.name === name);
  const operators = field ? operatorsOf(field) : [];
  const chosen = operators.includes(operator) ? operator : (operators[0] ?? 'eq');

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!value && chosen !== 'isNull') return;
    onAdd({ field: name, operator: chosen, value: chosen === 'isNull' ? 'true' : value });
    setValue('');
  };

  return (
    <form className="new-filter" onSubmit={submit}>
      <select aria-label="Field" value={name} onChange={(event) => setName(event.target.value)}>
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
      {chosen !== 'isNull' && (
        <input
          aria-label="Value"
          list="known-values"
          inputMode={field?.type === 'Float' || field?.type === 'Int' ? 'decimal' : undefined}
          placeholder={field?.type === 'Boolean' ? 'true or false' : undefined}
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
      )}
      <datalist id="known-values">
        {(field?.type === 'Boolean' ? ['true', 'false'] : (field?.knownValues ?? [])).map((known) => (
          <option key={known} value={known} />
        ))}
      </datalist>
      <button type="submit">Filter</button>
    </form>
  );
}
