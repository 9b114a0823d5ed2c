/** What a list shows is in its address: it can be shared, kept, and gone back to. */
import { type FormEvent, useRef, useState } from 'react';
import type { FieldAbout, TypeAbout } from '../../../about.js';
import { Button } from '../../ui/button.js';
import { ComboBox } from '../../ui/combo-box.js';
import { Select } from '../../ui/controls.js';
import { numberIn } from '../form/draft.js';
import { labelOf } from './rows.js';

export interface Condition {
  field: string;
  operator: string;
  value: string;
}

export interface ListState {
  conditions: Condition[];
  /** The name of a field, with `-` before it for the greatest first. */
  order?: string;
  after?: string;
  before?: string;
  parent?: string;
}

const pageSize = 25;

const forParts = ['contains', 'startsWith', 'endsWith'];
const forTexts = [...forParts, 'eq', 'ne', 'isNull'];
const forStates = ['eq', 'ne'];
const forNumbers = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'isNull'];

const operatorWords: Record<string, string> = {
  contains: 'contains',
  startsWith: 'starts with',
  endsWith: 'ends with',
  eq: 'is',
  ne: 'is not',
  lt: 'is less than',
  lte: 'is at most',
  gt: 'is more than',
  gte: 'is at least',
  isNull: 'is empty',
};

function operatorsOf({ type, isState }: FieldAbout): string[] {
  if (isState) return forStates;
  if (type === 'Boolean') return ['eq', 'isNull'];
  return type === 'String' ? forTexts : forNumbers;
}

export function readState(search: URLSearchParams): ListState {
  const conditions = search.getAll('where').flatMap((text) => {
    const [field, operator, ...value] = text.split(' ');
    return field && operator ? [{ field, operator, value: value.join(' ') }] : [];
  });
  const text = (name: string) => search.get(name) || undefined;
  return { conditions, order: text('order'), after: text('after'), before: text('before'), parent: text('parent') };
}

export function writeState({ conditions, ...rest }: ListState): string {
  const search = new URLSearchParams();
  for (const condition of conditions) search.append('where', keyOf(condition));
  for (const [name, value] of Object.entries(rest)) if (value) search.set(name, value);
  return search.size > 0 ? `?${search}` : '';
}

/** The variables of the list's operation; undefined for those that it does without. */
export function variablesOf(type: TypeAbout, { conditions, order, after, before, parent }: ListState) {
  // What an address names and the type does not have is asked for too: the gateway says that it is not known.
  const filters = conditions.map((condition) => ({
    [condition.field]: {
      [condition.operator]: parsed(fieldOf(type, condition.field), condition),
      ...(forParts.includes(condition.operator) ? { ignoreCase: true } : {}),
    },
  }));
  const name = order?.replace(/^-/, '');
  const orderName = name === 'updatedAt' ? 'UPDATED_AT' : (fieldOf(type, name)?.restName ?? name)?.toUpperCase();
  return {
    parentId: parent,
    [before ? 'last' : 'first']: pageSize,
    after,
    before,
    where: filters.length > 1 ? { and: filters } : filters[0],
    orderBy: orderName && [{ field: orderName, direction: order?.startsWith('-') ? 'DESC' : 'ASC' }],
  };
}

const fieldOf = ({ fields }: TypeAbout, name?: string) => fields.find((field) => field.name === name);

/** The value of a condition. A text that is none of the field's values goes as it is, so that the gateway says so. */
function parsed(field: FieldAbout | undefined, { operator, value }: Condition): unknown {
  if (operator === 'isNull' || field?.type === 'Boolean') return truths[value] ?? value;
  if (field?.isState) return value.toUpperCase();
  return field?.type === 'Float' || field?.type === 'Int' ? numberIn(value) : value;
}

const truths: Record<string, boolean | undefined> = { true: true, false: false };

/** A condition as people read it: `Repair cost is more than 5`. */
function wordsOf({ operator, value }: Condition): string {
  if (operator === 'isNull') return value === 'false' ? 'is not empty' : 'is empty';
  return `${operatorWords[operator] ?? operator} ${value}`;
}

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
  return type === 'Boolean' ? Object.entries({ true: 'yes', false: 'no' }) : undefined;
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
      <Select
        label="Field"
        value={name}
        options={type.fields.map((each) => [each.name, labelOf(each.name)])}
        onChange={choose}
      />
      <Select
        label="Comparison"
        value={chosen}
        options={operators.map((each) => [each, operatorWords[each]])}
        onChange={setOperator}
      />
      {chosen !== 'isNull' &&
        (choices ? (
          <Select label="Value" value={value} options={[['', '—'], ...choices]} onChange={setValue} />
        ) : (
          <ComboBox
            aria-label="Value"
            options={(field?.knownValues ?? []).map((known) => ({ value: known }))}
            value={value}
            onChange={setValue}
          />
        ))}
      <Button type="submit" icon="filter">
        Filter
      </Button>
    </form>
  );
}
