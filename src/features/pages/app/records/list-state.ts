/** What a list shows is in its address: it can be shared, kept, and gone back to. */
import type { FieldAbout, TypeAbout } from '../../about.js';
import { numberIn } from './draft.js';
import type { ListVariables } from './operations.js';

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

export const pageSize = 25;

const forParts = ['contains', 'startsWith', 'endsWith'];
const forTexts = [...forParts, 'eq', 'ne', 'isNull'];
const forStates = ['eq', 'ne'];
const forNumbers = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'isNull'];

export const operatorWords: Record<string, string> = {
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

export function operatorsOf({ type, isState }: FieldAbout): string[] {
  if (isState) return forStates;
  if (type === 'Boolean') return ['eq', 'isNull'];
  return type === 'String' ? forTexts : forNumbers;
}

export function readState(search: URLSearchParams): ListState {
  const conditions = search.getAll('where').flatMap((text) => {
    const [field, operator, ...value] = text.split(' ');
    return field && operator ? [{ field, operator, value: value.join(' ') }] : [];
  });
  const text = (name: string) => search.get(name) ?? undefined;
  return { conditions, order: text('order'), after: text('after'), before: text('before'), parent: text('parent') };
}

export function writeState({ conditions, ...rest }: ListState): string {
  const search = new URLSearchParams();
  for (const { field, operator, value } of conditions) search.append('where', `${field} ${operator} ${value}`);
  for (const [name, value] of Object.entries(rest)) if (value) search.set(name, value);
  return search.size > 0 ? `?${search}` : '';
}

/** The variables of the list's operation. */
export function variablesOf(type: TypeAbout, { conditions, order, after, before, parent }: ListState): ListVariables {
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
    ...(parent ? { parentId: parent } : {}),
    ...(before ? { last: pageSize, before } : { first: pageSize }),
    ...(after ? { after } : {}),
    ...(filters.length > 0 ? { where: filters.length > 1 ? { and: filters } : filters[0] } : {}),
    ...(orderName ? { orderBy: [{ field: orderName, direction: order?.startsWith('-') ? 'DESC' : 'ASC' }] } : {}),
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
export function wordsOf({ operator, value }: Condition): string {
  if (operator === 'isNull') return value === 'false' ? 'is not empty' : 'is empty';
  return `${operatorWords[operator] ?? operator} ${value}`;
}
