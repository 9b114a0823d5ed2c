/** The changes of one version as people read them: each field of the record, and what happened to each line at once. */
export interface Change {
  /** `['repairCost']`, or `['consumedItems', '<id of the line>', 'itemCode']`. */
  path: string[];
  before: unknown;
  after: unknown;
  action: string;
}

export interface ChangeGroup {
  /** The list and the id of the line; undefined for a field of the record. */
  line?: { list: string; id: string };
  action: string;
  changes: { field: string; before: unknown; after: unknown }[];
}

export function historyGroups(changes: readonly Change[], recordId: string): ChangeGroup[] {
  const groups = new Map<string, ChangeGroup>();
  for (const { path, before, after, action } of changes) {
    const [list = '', id, ...rest] = path;
    const line = id === undefined ? undefined : { list, id };
    const place = line ? `${list}/${id}` : list;
    const group = groups.get(place) ?? { ...(line ? { line } : {}), action, changes: [] };
    groups.set(place, group);
    const field = line ? rest.join('/') : list;
    if (!line || saysSomething(field, [before, after], action, recordId)) group.changes.push({ field, before, after });
  }
  return [...groups.values()];
}

/** Leaves out that a line belongs to this record, and the place of a line that is created or deleted. */
const saysSomething = (field: string, values: unknown[], action: string, recordId: string): boolean =>
  !values.includes(recordId) && !(field === 'idx' && (action === 'CREATE' || action === 'DELETE'));

const done: Record<string, string> = {
  CREATE: 'created',
  UPDATE: 'changed',
  SUBMIT: 'submitted',
  CANCEL: 'cancelled',
  DELETE: 'deleted',
  MOVE: 'moved',
};

/** `SUBMIT` → `submitted`. */
export const doneWord = (action: string): string => done[action] ?? action;
