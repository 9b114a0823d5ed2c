/** The selection of a subscription within an event, and the JSON text of such an event. */
import { type GraphQLError, type GraphQLObjectType, type GraphQLSchema, isObjectType } from 'graphql';
import { type Bytes, bytesOf } from '../../common/bytes.js';
import { oncePer } from '../../common/kept.js';
import type { RecordEvent } from '../../gateway/call.js';
import { fieldsIn, type OperationResult } from '../../gateway/execution/executor.js';
import type { Subscription } from '../../graphql/operation/admission.js';
import { eventNameOf } from '../../graphql/operation/record-reading.js';
import { fragmentsOf, nodesSelected, takingBy } from '../../graphql/operation/selected-nodes.js';
import { streamSourceOf } from '../../graphql/operation/stream-root.js';
import { enumName } from '../../model/names.js';

/** The selected fields of an event of one type, in the order of the answer. */
export interface EventForm {
  /** The name of the subscription's field in the answer. */
  root: string;
  type: string;
  fields: readonly { key: string; name: string }[];
  hasRecord: boolean;
}

/** The form of the events of a record type, or of notices. The events of one type of records have one form. */
export type EventForms = (model: string | undefined) => EventForm;

export function eventForms(schema: GraphQLSchema, { document, root }: Subscription): EventForms {
  const sets = root.nodes.map(({ selectionSet }) => selectionSet);
  const surroundings = { schema, fragments: fragmentsOf(document), takes: takingBy(root.variables) };
  const { resource } = streamSourceOf(root.field);
  const formOf = oncePer((type: GraphQLObjectType): EventForm => {
    const fields = nodesSelected(sets, surroundings, type);
    return { root: root.key, type: type.name, fields, hasRecord: fields.some(({ name }) => name === 'record') };
  });
  return (model) => {
    const name = eventNameOf(resource?.model ?? model);
    const type = schema.getType(name);
    if (!isObjectType(type)) throw new Error(`The schema has no type ${name}`);
    return formOf(type);
  };
}

export interface ReadRecord {
  /** Whether it fulfils `where`; undefined for a subscription without. */
  isIn: boolean | undefined;
  /** The JSON texts of `record`, by their names in the answer. */
  records: ReadonlyMap<string, Bytes>;
  errors: readonly GraphQLError[];
}

export const sizeOf = ({ records }: Pick<ReadRecord, 'records'>): number =>
  [...records.values()].reduce((sum, text) => sum + text.length, 0);

/** `isFiltered` says that the record was looked up in a list. */
export function recordIn(result: OperationResult, isFiltered: boolean): ReadRecord {
  const { texts: records, errors } = fieldsIn(result);
  if (!isFiltered) return { isIn: undefined, records, errors };
  const found = new Map<string, Bytes>();
  for (const [key, list] of records) if (list !== 'null' && list !== emptyList) found.set(key, list.slice(start, -end));
  return { isIn: errors.length > 0 || ![...records.values()].includes(emptyList), records: found, errors };
}

/** A list with the record is `{"nodes":[…]}`. */
const emptyList: Bytes = '{"nodes":[]}';
const start = '{"nodes":['.length;
const end = ']}'.length;

/** `{"errors": […], "data": {"assetRepairChanged": {…}}}` in UTF-8. */
export function eventText(
  forms: EventForms,
  event: RecordEvent,
  { records, errors }: Pick<ReadRecord, 'records' | 'errors'> = { records: new Map(), errors: [] },
): Bytes {
  const { position, action, type } = event;
  const { root, type: __typename, fields } = forms(type);
  // Its own values are ASCII: numbers, ids and names.
  const own: Readonly<Record<string, unknown>> = {
    ...event,
    __typename,
    position: String(position),
    get action() {
      return action && enumName(action);
    },
    get type() {
      return type && enumName(type);
    },
  };
  const told = fields.map(
    ({ key, name }) =>
      `"${key}":${name === 'record' ? (records.get(key) ?? 'null') : bytesOf(JSON.stringify(own[name] ?? null))}`,
  );
  const prefix =
    errors.length > 0 ? `"errors":${bytesOf(JSON.stringify(errors.map((error) => shown(root, error))))},` : '';
  return `{${prefix}"data":{"${root}":{${told.join(',')}}}}`;
}

const shown = (root: string, error: GraphQLError): object => {
  const { path, ...others } = error.toJSON();
  return { ...others, path: [root, ...(path ?? [])] };
};
