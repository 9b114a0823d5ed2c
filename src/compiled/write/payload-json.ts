/** The JSON of a write's answer apart from its records: what was deleted, and what a save has changed. */
import type { GraphQLObjectType } from 'graphql';
import { type Bytes, bytesOf } from '../../bytes.js';
import type { Resource } from '../../model/resource.js';
import type { LineChanges } from '../../records/change/line-plan.js';
import type { SaveChanges } from '../../records/change/save.js';
import type { Procedure } from '../../work.js';
import { type Described, describedFields, objectIn, recordTypeIn } from '../described-fields.js';
import { NotCompilable } from '../selection.js';
import type { CompileContext } from '../sql/statement.js';
import { type WrittenJson, writtenRecordJson } from './written-json.js';

/** Writes a value as JSON. */
type WriteJson<Value> = (value: Value) => Bytes;

/** `DeletedRecord`, from the deleted id. A line's parent is left to the resolvers. */
export function deletedAnswer(compiling: CompileContext, type: GraphQLObjectType, field: Described): WriteJson<string> {
  return objectWriter(compiling, type, field, ({ answer }): WriteJson<string> => {
    if (answer.kind !== 'deleted') throw new NotCompilable();
    return answer.part === 'id' ? json : () => 'true';
  });
}

/** The payload of a save: the changes, and the record after them. */
export function savedAnswer(
  compiling: CompileContext,
  resource: Resource,
  field: Described,
): (id: string, changes: SaveChanges) => Procedure<Bytes> {
  const payload = objectIn(field.definition.type, 'one or null');
  const parts = fieldsOf(compiling, payload, field).map(
    (part): { key: string; record?: WrittenJson; text: WriteJson<SaveChanges> } => {
      const { key, answer, definition, nodes } = part;
      if (answer.kind === 'typename') return { key, text: () => json(payload.name) };
      if (answer.kind !== 'saved') throw new NotCompilable();
      if (answer.part === 'changes') return { key, text: changesAnswer(compiling, part) };
      const type = recordTypeIn(definition.type, resource, 'one or null');
      return { key, record: writtenRecordJson(compiling, { type, nodes, model: resource.model }), text: () => '' };
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

function changesAnswer(compiling: CompileContext, field: Described): WriteJson<SaveChanges> {
  return objectWriter(compiling, objectIn(field.definition.type, 'one'), field, (part): WriteJson<SaveChanges> => {
    const { answer, definition } = part;
    if (answer.kind !== 'changes') throw new NotCompilable();
    if (answer.part === 'fields') return ({ fields }) => json(fields);
    const line = objectWriter(compiling, objectIn(definition.type, 'list'), part, (inner): WriteJson<LineChanges> => {
      if (inner.answer.kind !== 'lineChanges') throw new NotCompilable();
      const { part: name } = inner.answer;
      return (changes) => json(changes[name]);
    });
    return ({ lines }) => `[${lines.map(line).join()}]`;
  });
}

/** An object whose fields are written by `part`. */
function objectWriter<Value>(
  compiling: CompileContext,
  type: GraphQLObjectType,
  field: Described,
  part: (field: Described) => WriteJson<Value>,
): WriteJson<Value> {
  const parts = fieldsOf(compiling, type, field).map((each): [key: string, text: WriteJson<Value>] => [
    json(each.key),
    each.answer.kind === 'typename' ? () => json(type.name) : part(each),
  ]);
  return (value) => `{${parts.map(([key, text]) => `${key}:${text(value)}`).join()}}`;
}

const fieldsOf = (compiling: CompileContext, type: GraphQLObjectType, { nodes }: Described): Described[] =>
  describedFields(
    type,
    nodes.map(({ selectionSet }) => selectionSet),
    compiling,
  );

const json = (value: unknown): Bytes => bytesOf(JSON.stringify(value));
