/** The JSON of a write's answer apart from its records: what was deleted, and what a save has changed. */
import type { GraphQLObjectType } from 'graphql';
import { type Bytes, bytesOf } from '../bytes.js';
import type { Resource } from '../model/resource.js';
import type { LineChanges } from '../records/change/line-plan.js';
import type { SaveChanges } from '../records/change/save.js';
import type { Work } from '../work.js';
import { type Described, describedFields, objectIn, recordTypeIn } from './described.js';
import { NotCompilable } from './selection.js';
import type { Compiling } from './statement.js';
import { type RecordAnswer, recordAnswer } from './write-answer.js';

/** Writes a value as JSON. */
type Told<Value> = (value: Value) => Bytes;

/** `DeletedRecord`, from the deleted id. A line's parent is left to the resolvers. */
export function deletedAnswer(compiling: Compiling, type: GraphQLObjectType, field: Described): Told<string> {
  return told(compiling, type, field, ({ answer }): Told<string> => {
    if (answer.kind !== 'deleted') throw new NotCompilable();
    return answer.part === 'id' ? json : () => 'true';
  });
}

/** The payload of a save: the changes, and the record after them. */
export function savedAnswer(
  compiling: Compiling,
  resource: Resource,
  field: Described,
): (id: string, changes: SaveChanges) => Work<Bytes> {
  const payload = objectIn(field.definition.type, 'one or null');
  const parts = fieldsOf(compiling, payload, field).map(
    (part): { key: string; record?: RecordAnswer; text: Told<SaveChanges> } => {
      const { key, answer, definition, nodes } = part;
      if (answer.kind === 'typename') return { key, text: () => json(payload.name) };
      if (answer.kind !== 'saved') throw new NotCompilable();
      if (answer.part === 'changes') return { key, text: changesAnswer(compiling, part) };
      const type = recordTypeIn(definition.type, resource, 'one or null');
      return { key, record: recordAnswer(compiling, { type, nodes, model: resource.model }), text: () => '' };
    },
  );
  // Each statement counts the bytes of its own answer only, so the record may be selected once.
  if (parts.filter(({ record }) => record).length > 1) throw new NotCompilable();
  return function* (id, changes) {
    const texts: Bytes[] = [];
    for (const { key, record, text } of parts) {
      texts.push(`${json(key)}:${record ? yield* record.text({ id }) : text(changes)}`);
    }
    return `{${texts.join()}}`;
  };
}

function changesAnswer(compiling: Compiling, field: Described): Told<SaveChanges> {
  return told(compiling, objectIn(field.definition.type, 'one'), field, (part): Told<SaveChanges> => {
    const { answer, definition } = part;
    if (answer.kind !== 'changes') throw new NotCompilable();
    if (answer.part === 'fields') return ({ fields }) => json(fields);
    const line = told(compiling, objectIn(definition.type, 'list'), part, (inner): Told<LineChanges> => {
      if (inner.answer.kind !== 'lineChanges') throw new NotCompilable();
      const { part: name } = inner.answer;
      return (changes) => json(changes[name]);
    });
    return ({ lines }) => `[${lines.map(line).join()}]`;
  });
}

/** An object whose fields are written by `part`. */
function told<Value>(
  compiling: Compiling,
  type: GraphQLObjectType,
  field: Described,
  part: (field: Described) => Told<Value>,
): Told<Value> {
  const parts = fieldsOf(compiling, type, field).map((each): [key: string, text: Told<Value>] => [
    json(each.key),
    each.answer.kind === 'typename' ? () => json(type.name) : part(each),
  ]);
  return (value) => `{${parts.map(([key, text]) => `${key}:${text(value)}`).join()}}`;
}

const fieldsOf = (compiling: Compiling, type: GraphQLObjectType, { nodes }: Described): Described[] =>
  describedFields(
    type,
    nodes.map(({ selectionSet }) => selectionSet),
    compiling,
  );

const json = (value: unknown): Bytes => bytesOf(JSON.stringify(value));
