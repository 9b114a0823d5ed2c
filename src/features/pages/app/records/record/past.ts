/** Records as they once were, as the journal has them: to be looked at, saved again, and made again after they were deleted. */
import { type About, type FieldAbout, listsOf, type TypeAbout } from '../../../about.js';
import { askAll } from '../../api/graphql.js';
import { Refusal } from '../../api/problems.js';
import { linesIn, type RecordValues } from '../form/draft.js';
import { labelOf } from '../list/rows.js';
import { recordOperation, stateOperation } from '../operations.js';

/** A record with its lines as it is now; null where there is none. */
export const readRecord = async (type: TypeAbout, id: string, about: About, signal?: AbortSignal) =>
  (await askAll<Record<string, RecordValues | null>>(recordOperation(type, id, about), signal))[type.one] ?? null;

/** A record with its lines as a version had them, with the ids that they have now. */
export async function recordAt(type: TypeAbout, id: string, version: number, about: About): Promise<RecordValues> {
  const { node } = await askAll<{ node: RecordValues | null }>(stateOperation(type, `${id}@${version}`, about));
  const message = `The journal no longer holds version ${version} of this ${type.title}.`;
  if (!node) throw new Refusal([{ message, extensions: { code: 'NOT_FOUND' } }]);
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
  ...listsOf(type, about).flatMap(({ own, field: list }): Difference[] => {
    const [old, present] = [byId(then, list), byId(now, list)];
    const [were, are] = [[...old.keys()], [...present.keys()]];
    const found = [...new Set([...were, ...are])].flatMap((id) => {
      const line = 1 + (old.has(id) ? were : are).indexOf(id);
      return differing(own, old.get(id) ?? {}, present.get(id) ?? {}).map((each) => ({ ...each, list, line, id }));
    });
    const counts = { list, past: `${were.length} lines`, now: `${are.length} lines, others or in another order` };
    return were.join() === are.join() ? found : [...found, counts];
  }),
];

const byId = (record: RecordValues | undefined, list: string): Map<string, Values> =>
  new Map((record ? linesIn(record, list) : []).map((line) => [line.id, line]));

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

/**
 * The input of a save that gives a record the values and lines of an earlier version, or of a create that makes it again. Lines
 * that are gone are made anew.
 */
export function restoringInput(type: TypeAbout, then: RecordValues, now: RecordValues | undefined, about: About) {
  const input: Record<string, unknown> = older(type, then, now);
  for (const { own, field } of listsOf(type, about)) {
    const present = byId(now, field);
    const lines = linesIn(then, field).map((line) => ({
      ...(present.has(line.id) ? { id: line.id } : {}),
      ...older(own, line, present.get(line.id)),
    }));
    const unchanged = [...present.keys()].map((id) => ({ id }));
    if (JSON.stringify(lines) !== JSON.stringify(unchanged)) input[field] = lines;
  }
  return input;
}

/** The older values of the fields that differ: from what is there, or else from the defaults, which would fill what is empty. */
function older(type: TypeAbout, then: Values, now?: Values) {
  const present = now ?? Object.fromEntries(type.fields.map((field) => [field.name, field.default]));
  return Object.fromEntries(differing(type, then, present).map(({ field, past }) => [field.name, past]));
}

/** What does not come back with a record that is made again. */
export function lostWords(type: TypeAbout, then: RecordValues, about: About): string {
  const all = [type, ...listsOf(type, about).map(({ own }) => own)];
  const state = String(then.status).toLowerCase();
  const lost = [
    ...(type.hasStates && state !== 'draft' ? [`its state (${state})`] : []),
    ...type.fields.filter(({ name, secret }) => secret && then[name]).map(({ name }) => `${labelOf(name)} (a secret)`),
    ...all.flatMap(({ hidden = [] }) => hidden).map((name) => `${labelOf(name)} (hidden from you)`),
    `texts that name its old id, ${then.id}${type.lines.length > 0 ? ', or those of its lines' : ''}`,
  ];
  return `What does not come back: ${lost.join('; ')}. Its history stays at its old address.`;
}
