/** Records as they once were, as the journal has them: to be looked at, saved again, and made again after they were deleted. */
import { type About, type FieldAbout, type TypeAbout, typeCalled } from '../../../about.js';
import { askAll, askOnce } from '../../api/graphql.js';
import { linesIn, type RecordValues } from '../form/draft.js';
import { labelOf } from '../list/rows.js';
import { stateOperation } from '../operations.js';

/** A record with its lines as a version had them, with the ids that they have now. */
export async function recordAt(type: TypeAbout, id: string, version: number, about: About): Promise<RecordValues> {
  const { node } = await askAll<{ node: RecordValues | null }>(stateOperation(type, `${id}@${version}`, about));
  if (!node) throw new Error(`The journal no longer holds version ${version} of this ${type.title}.`);
  return node;
}

/** A place in which two states of a record differ. */
export interface Difference {
  /** For a line: its list, its number in the older state or else in the newer one, and its id. */
  list?: string;
  line?: number;
  id?: string;
  /** Left out where it is which lines there are, and in which order. */
  field?: FieldAbout;
  past: unknown;
  now: unknown;
}

/** What differs between two states, field by field; a line that only one of them has is told by its fields. */
export const differences = (type: TypeAbout, then: RecordValues, now: RecordValues, about: About): Difference[] => [
  ...differing(type, then, now),
  ...type.lines.flatMap(({ model, field: list }): Difference[] => {
    const own = typeCalled(about, model);
    const [old, present] = [byId(then, list), byId(now, list)];
    const [were, are] = [[...old.keys()], [...present.keys()]];
    const found = [...new Set([...were, ...are])].flatMap((id) => {
      const line = 1 + (old.has(id) ? were : are).indexOf(id);
      const changed = own ? differing(own, old.get(id) ?? {}, present.get(id) ?? {}) : [];
      return changed.map((each) => ({ ...each, list, line, id }));
    });
    const counts = { list, past: `${were.length} lines`, now: `${are.length} lines, others or in another order` };
    return were.join() === are.join() ? found : [...found, counts];
  }),
];

const byId = (record: RecordValues, list: string): Map<string, Values> =>
  new Map(linesIn(record, list).map((line) => [line.id, line]));

type Values = Readonly<Record<string, unknown>>;

const differing = (type: TypeAbout, then: Values, now: Values) =>
  written(type)
    .map((field) => ({ field, past: then[field.name] ?? null, now: now[field.name] ?? null }))
    .filter(({ past, now }) => past !== now);

/** The fields that come back: the state is moved by actions alone, and the journal holds no secret. */
function written({ fields, groups }: TypeAbout): FieldAbout[] {
  const names = new Set(groups.flatMap((group) => group.fields));
  return fields.filter(({ name, secret }) => names.has(name) && !secret);
}

/** The input of a save that gives a record the values and lines of an earlier version. Lines that are gone are made anew. */
export function restoringInput(type: TypeAbout, then: RecordValues, now: RecordValues, about: About) {
  const lists = new Set(differences(type, then, now, about).map(({ list }) => list));
  const input: Record<string, unknown> = older(type, then, now);
  for (const { model, field } of type.lines) {
    const own = typeCalled(about, model);
    const present = byId(now, field);
    if (!own || !lists.has(field)) continue;
    input[field] = linesIn(then, field).map((line) => ({
      ...(present.has(line.id) ? { id: line.id } : {}),
      ...older(own, line, present.get(line.id) ?? {}),
    }));
  }
  return input;
}

/** The older values of the fields that differ. */
const older = (type: TypeAbout, then: Values, now: Values) =>
  Object.fromEntries(differing(type, then, now).map(({ field, past }) => [field.name, past]));

/** Makes a deleted record again, with its lines and as a draft. Returns its new id, and keeps what its page says first. */
export async function makeAgain(type: TypeAbout, id: string, version: number, about: About): Promise<string> {
  const then = await recordAt(type, id, version, about);
  const { model, lines } = type;
  const input: Record<string, unknown> = filled(type, then);
  for (const { model, field } of lines) {
    const own = typeCalled(about, model);
    if (own) input[field] = linesIn(then, field).map((line) => filled(own, line));
  }
  const made = await askOnce<Record<string, { record: { id: string } }>>({
    query: `mutation Create${model}($input: Create${model}Input!) { create${model}(input: $input) { record { id } } }`,
    variables: { input },
  });
  const newId = made[`create${model}`]?.record.id ?? '';
  const words = `Made again${type.hasStates ? ' as a draft' : ''}, with a new id. ${lostWords(type, then)}`;
  notices.set(newId, { words });
  return newId;
}

/** The values of a new record. An empty one is sent only where a default would fill it. */
const filled = (type: TypeAbout, values: Values) =>
  Object.fromEntries(
    written(type)
      .map((field) => ({ ...field, value: values[field.name] ?? null }))
      .filter((field) => field.value !== null || (field.nullable && field.default !== undefined))
      .map(({ name, value }) => [name, value]),
  );

/** What the page of a record says that was made again in this tab, by its id. */
const notices = new Map<string, { words: string }>();

export const noticeOf = (id: string): { words: string } | undefined => notices.get(id);

/** What does not come back with a record that is made again. */
export function lostWords(type: TypeAbout, then: RecordValues): string {
  const state = String(then.status).toLowerCase();
  const lost = [
    ...(type.hasStates && state !== 'draft' ? [`its state (${state})`] : []),
    ...type.fields.filter(({ name, secret }) => secret && then[name]).map(({ name }) => `${labelOf(name)} (a secret)`),
    `texts that name its old id, ${then.id}${type.lines.length > 0 ? ', or those of its lines' : ''}`,
  ];
  return `What does not come back: ${lost.join('; ')}. Its history stays at its old address.`;
}
