/** The change that a mutation asks for, for the compiled writes and for the resolvers. */
import { isObject } from '../../common/is-object.js';
import type { Procedure } from '../../common/work.js';
import type { Values } from '../../model/change.js';
import { errors } from '../../model/errors/errors.js';
import { type Resource, singletonId } from '../../model/resource.js';
import { type Holder, mayRead, requiredScopes, requireScopes } from '../../model/scopes.js';
import type { ArgumentValues, WriteOperation } from '../../model/selection.js';
import { hasLists, inputArgument, inputsIn, numberArgument, textArgument, textsIn } from '../../query/arguments.js';
import type { Rights } from '../../query/rights.js';
import type { Identity } from '../context.js';
import type { WriteProcedure } from '../perform.js';
import { createLine, removeLine, reorder, updateLine } from './line.js';
import {
  type Answering,
  createRecords,
  moveRecord,
  type RecordUpdate,
  removeRecords,
  updateRecords,
  type WrittenRecords,
} from './record.js';
import { type SaveChanges, save } from './save.js';

export interface Requested extends WrittenRecords {
  /** The parent of a line. */
  parentId?: string;
  changes?: SaveChanges;
}

/**
 * From the arguments as the resolver gets them, and with the scopes of the caller; undefined if they are not such as the schema
 * allows, which the resolvers refuse.
 */
export type RequestedWrite = (
  given: ArgumentValues,
  identity: Holder & Pick<Identity, 'rights'>,
  answering?: Answering,
) => WriteProcedure<Requested> | undefined;

export function requestedWrite(resource: Resource, operation: WriteOperation): RequestedWrite {
  const isLine = resource.kind === 'child';
  return (asked, identity, answering) => {
    const given = identity.rights ? withoutHidden(identity.rights, resource, asked, operation === 'create') : asked;
    const id = textArgument(given, 'id') ?? (resource.kind === 'singleton' ? singletonId(resource) : undefined);
    const expectedVersion = numberArgument(given, 'expectedVersion');
    const input = inputArgument(given, 'input');
    if (input && !hasLists(input, resource)) return undefined;
    switch (operation) {
      case 'create':
        if (!input) return undefined;
        return (writing) =>
          isLine
            ? createLine(writing, resource, input)
            : createRecords(writing, resource, [input], { isList: false, ...answering });
      case 'createMany': {
        const inputs = inputsIn(given, 'inputs');
        if (!inputs?.every((each) => hasLists(each, resource))) return undefined;
        return (writing) => createRecords(writing, resource, inputs, { isList: true, ...answering });
      }
      case 'update': {
        if (!input || id === undefined) return undefined;
        const update = { id, input, expectedVersion };
        return (writing) =>
          isLine
            ? updateLine(writing, resource, update, answering?.folded)
            : updateRecords(writing, resource, [update], { isList: false, ...answering });
      }
      case 'updateMany': {
        const updates = inputsIn(given, 'updates')?.filter(isUpdate);
        return updates && ((writing) => updateRecords(writing, resource, updates, { isList: true }));
      }
      case 'save': {
        if (!input || id === undefined) return undefined;
        const beforeDeleting = () => requireScopes(identity, requiredScopes(resource, 'delete'));
        return function* (writing): Procedure<Requested> {
          const request = { id, input, version: expectedVersion, beforeDeleting };
          return { ids: [id], changes: yield* save(writing, resource, request) };
        };
      }
      case 'reorder': {
        const parentId = textArgument(given, 'parentId');
        if (parentId === undefined) return undefined;
        const request = { parentId, ids: textsIn(given, 'ids'), reportsMissing: mayRead(identity, resource) };
        return (writing) => reorder(writing, resource, request);
      }
      case 'delete': {
        if (id === undefined) return undefined;
        const row = { id, version: expectedVersion };
        return (writing) =>
          isLine ? removeLine(writing, resource, row) : removeRecords(writing, resource, [row], false);
      }
      case 'deleteMany': {
        const rows = textsIn(given, 'ids')?.map((each) => ({ id: each }));
        return rows && ((writing) => removeRecords(writing, resource, rows, true));
      }
      default:
        if (id === undefined) return undefined;
        return (writing) =>
          moveRecord(writing, resource, { id, action: operation, expectedVersion }, answering?.folded);
    }
  };
}

/** The same for a resolver, whose arguments are those that the schema allows. */
export function asked(
  resource: Resource,
  operation: WriteOperation,
  args: ArgumentValues,
  { identity }: { identity: Parameters<RequestedWrite>[1] },
): WriteProcedure<Requested> {
  const write = requestedWrite(resource, operation)(args, identity);
  if (!write) throw new Error(`The arguments of ${operation} are not those of its schema`);
  return write;
}

/** The schema's inputs of updates always have these two members. */
const isUpdate = (value: Values & Partial<RecordUpdate>): value is Values & RecordUpdate =>
  value.id !== undefined && value.input !== undefined;

/**
 * The arguments without hidden fields that are null: clients send back what they have read. @throws FORBIDDEN for one that has a
 * value
 */
export function withoutHidden(
  rights: Rights,
  resource: Resource,
  given: ArgumentValues,
  isNew: boolean,
): ArgumentValues {
  const types = [resource, ...resource.lines.map((lines) => lines.resource)];
  if (types.every((type) => rights.hidden(type).size === 0)) return given;
  const cleaned = (type: Resource, input: unknown, path: readonly (string | number)[], isNew: boolean): unknown => {
    if (!isObject(input)) return input;
    const values: Values = {};
    for (const [name, value] of Object.entries(input)) {
      const lines = type.lines.find(({ field }) => field === name);
      if (lines && Array.isArray(value)) {
        const ofLine = (line: unknown, place: number) =>
          cleaned(lines.resource, line, [...path, name, place], !(isObject(line) && line.id != null));
        values[name] = value.map(ofLine);
      } else if (!rights.hidden(type).has(name)) values[name] = value;
      // The schema gives new records the defaults of fields that nobody sent.
      else if (value != null && !(isNew && value === type.fields.find((field) => field.name === name)?.default))
        throw errors.hiddenField([...path, name].join('.'));
    }
    return values;
  };
  const ofList = (list: unknown, clean: (each: Values, place: number) => unknown) =>
    Array.isArray(list) ? list.map(clean) : list;
  return {
    ...given,
    input: cleaned(resource, given.input, ['input'], isNew),
    inputs: ofList(given.inputs, (each, place) => cleaned(resource, each, ['inputs', place], true)),
    updates: ofList(given.updates, (each, place) => ({
      ...each,
      input: cleaned(resource, each.input, ['updates', place, 'input'], false),
    })),
  };
}
