/** What a list shows is in its address: it can be shared, kept as a view, and gone back to. */
import type { FieldAbout, TypeAbout } from '../../../about.js';
import { type Condition, conditionFilter, keyOf } from './conditions.js';

/** A column, and its width in pixels where somebody has chosen one. */
export interface ShownColumn {
  name: string;
  width?: number | undefined;
}

export interface ListState {
  conditions: Condition[];
  /** `any`: one of the conditions is enough. */
  match?: string | undefined;
  search?: string | undefined;
  /** The name of a field, with `-` before it for the greatest first. */
  order?: string | undefined;
  page: number;
  size: number;
  /** In their order; undefined for those with which every list of the type begins. */
  columns?: ShownColumn[] | undefined;
  parent?: string | undefined;
  /** The name of the view, where the list is shown as that was kept. */
  view?: string | undefined;
}

/** How many rows a page may have. More than `blockSize` are read as somebody scrolls to them. */
export const sizes = [25, 50, 100, 1000, 10_000];
export const blockSize = 100;

export function readState(search: URLSearchParams): ListState {
  const conditions = search.getAll('where').flatMap((text) => {
    const [field = '', operator = '', ...value] = text.split(' ');
    // One that is cut off is none: without it, the list would show more than it says.
    return text ? [{ field, operator, value: value.join(' ') }] : [];
  });
  const text = (name: string) => search.get(name) || undefined;
  const columns = text('columns')
    ?.split(',')
    .map((column) => {
      const [name = '', width] = column.split(':');
      return { name, width: numberOr(undefined, width) };
    });
  return {
    ...{ conditions, match: text('match'), search: text('search'), order: text('order'), columns },
    page: Math.max(1, numberOr(1, text('page'))),
    size: sizes.find((size) => String(size) === text('size')) ?? 25,
    ...{ parent: text('parent'), view: text('view') },
  };
}

export function writeState({ conditions, columns, page, size, ...rest }: ListState): string {
  const search = new URLSearchParams();
  for (const condition of conditions) search.append('where', keyOf(condition));
  const texts = {
    ...rest,
    columns: columns?.map(({ name, width }) => (width ? `${name}:${width}` : name)).join(','),
    page: page > 1 && String(page),
    size: size !== 25 && String(size),
  };
  for (const [name, value] of Object.entries(texts)) if (value) search.set(name, value);
  return search.size > 0 ? `?${search}` : '';
}

/** The whole number that a text is, or what stands for none. */
function numberOr<Other>(other: Other, text: string | undefined): number | Other {
  return text && /^\d{1,7}$/.test(text) ? Number(text) : other;
}

/** When a record was made and changed: of all but lines, beside the fields of the type. */
const times: FieldAbout[] = ['created', 'updated'].map((word) => ({
  ...{ name: `${word}At`, restName: `${word}_at`, type: 'String', description: `When it was ${word}.` },
  ...{ required: false, nullable: false, default: undefined, knownValues: [], secret: false, formats: ['date-time'] },
}));

/** What a list can be filtered by and show. */
export const listFields = ({ fields, kind }: TypeAbout): FieldAbout[] =>
  kind === 'child' ? fields : [...fields, ...times];

export const fieldOf = (type: TypeAbout, name?: string): FieldAbout | undefined =>
  listFields(type).find((field) => field.name === name);

/** The columns behind the name of a record. */
export function columnsOf(type: TypeAbout, { columns }: Pick<ListState, 'columns'> = {}): FieldAbout[] {
  const names = columns?.map(({ name }) => name) ?? [type.hasStates && 'status', ...type.listed, 'updatedAt'];
  return [...new Set(names)].flatMap((name) => (name && name !== namingOf(type) && fieldOf(type, name)) || []);
}

/** All columns with the first, as somebody may change them. */
export function chosenColumns(type: TypeAbout, columns: ShownColumn[] | undefined): ShownColumn[] {
  const names = [namingOf(type), ...columnsOf(type, { columns }).map(({ name }) => name)];
  return names.map((name) => columns?.find((column) => column.name === name) ?? { name });
}

/** The field whose column heads each row. */
export const namingOf = ({ namedBy }: TypeAbout): string => namedBy[0]?.[0] ?? 'id';

/** The filter of a list; undefined where it shows all. */
export function filterOf(type: TypeAbout, { conditions, match }: ListState): object | undefined {
  // What an address names and the type does not have is asked for too: the gateway says that it is not known.
  const filters = conditions.map((condition) => conditionFilter(fieldOf(type, condition.field), condition));
  return filters.length > 1 ? { [match === 'any' ? 'or' : 'and']: filters } : filters[0];
}

/** The variables of the list's operation, for one block of its page; undefined for those that it does without. */
export function variablesOf(type: TypeAbout, state: ListState, block = 0): Record<string, unknown> {
  const { order, page, size, parent, search } = state;
  const name = order?.replace(/^-/, '');
  const field = (fieldOf(type, name)?.restName ?? name)?.toUpperCase();
  const offset = (page - 1) * size + block * blockSize;
  return {
    ...{ parentId: parent, search, first: Math.min(size, blockSize), offset: offset || undefined },
    where: filterOf(type, state),
    orderBy: field && [{ field, direction: order?.startsWith('-') ? 'DESC' : 'ASC' }],
  };
}
