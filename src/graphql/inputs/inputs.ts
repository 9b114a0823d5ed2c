/** The input types of all mutations, derived from the resources. */
import type { InputFieldMap, InputRef } from '@pothos/core';
import type { Values } from '../../model/change.js';
import type { Field } from '../../model/field.js';
import { isDocumentStatus, statuses } from '../../model/lifecycle.js';
import { longestId, mostLines } from '../../model/limits.js';
import type { Resource } from '../../model/resource.js';
import { type Builder, perResource } from '../builder.js';
import { kindsOfValue } from '../guards/value-problem.js';
import { isId, isReference } from '../types/columns.js';
import { documentStatus } from '../types/enums.js';
import { valueNotes } from '../value-notes.js';
import { type Constraint, constrained, type InputFields } from './filters.js';

/** `CreateAssetRepairInput`: required fields are non-null, defaults are declared, lines are nested. */
export const createInput = perResource(
  (builder, resource): InputRef<Values> =>
    builder.inputType(`Create${resource.model}Input`, {
      description: meaningOf('Create', resource),
      fields: (t) => ({
        ...fieldsOf(builder, t, resource, 'create'),
        ...linesOf(t, resource, (lines) => newLine(builder, lines)),
      }),
    }),
);

const newLine = perResource(
  (builder, resource): InputRef<Values> =>
    builder.inputType(`Create${resource.model}LineInput`, {
      description: `What to record of a new ${resource.title} within its new parent, from whose list \`idx\` follows.`,
      fields: (t) => fieldsOf(builder, t, resource, 'create', isFromPlace),
    }),
);

/** `UpdateAssetRepairInput`: every field is optional; a field left out stays unchanged. */
export const updateInput = perResource(
  (builder, resource): InputRef<Values> =>
    builder.inputType(`Update${resource.model}Input`, {
      description: meaningOf('Update', resource),
      fields: (t) => fieldsOf(builder, t, resource, 'update'),
    }),
);

/** `SaveAssetRepairInput`: the record as a form holds it, with whole lists of lines. */
export const saveInput = perResource(
  (builder, resource): InputRef<Values> =>
    builder.inputType(`Save${resource.model}Input`, {
      description: `${resource.title} as it is to be. A field left out stays; null clears it, to its default where it has one.${savedLists(resource)}`,
      fields: (t) => ({
        ...fieldsOf(builder, t, resource, 'update'),
        ...linesOf(t, resource, (lines) => savedLine(builder, lines), {
          notNull: 'leave it out to keep the lines, or send [] to delete them',
        }),
      }),
    }),
);

const savedLine = perResource(
  (builder, resource): InputRef<Values> =>
    builder.inputType(`Save${resource.model}Input`, {
      description: `A ${resource.title} in a save of its parent: the one with this \`id\`, of which a field left out stays; without \`id\` a new one.`,
      fields: (t) => ({
        id: t.id({ description: 'The id of the line; left out, the line is new.' }),
        ...fieldsOf(builder, t, resource, 'saveLine', isFromPlace),
      }),
    }),
);

const savedLists = ({ lines }: Resource): string =>
  lines.length > 0
    ? ' A list given is complete: lines that are not in it are deleted, and its order becomes theirs; left out, all lines stay as they are.'
    : '';

const linesOf = (
  t: InputFields,
  { lines }: Resource,
  line: (resource: Resource) => InputRef<Values>,
  constraint: Constraint = {},
): InputFieldMap =>
  Object.fromEntries(
    lines.map(({ field, resource }) => [
      field,
      t.field({ type: [line(resource)], ...constrained({ maximumLength: mostLines, ...constraint }) }),
    ]),
  );

/** What an input means, in GraphQL and in REST. */
export const meaningOf = (verb: 'Create' | 'Update', { title }: Resource): string =>
  verb === 'Create'
    ? `What to record of a new ${title}. A field set to null is the same as one left out.`
    : `What to change of this ${title}. A field left out stays as it is; null clears it, to its default where it has one.`;

/** Whether a line's field follows from where the line is, within its parent. */
export const isFromPlace = ({ scope, parents }: Resource, name: string): boolean =>
  parents.length > 0 && (name === scope || name === 'idx' || name === 'parentType');

type Verb = 'create' | 'update' | 'saveLine';

/** The documented fields as input fields, but for those that are left out. */
function fieldsOf(
  builder: Builder,
  t: InputFields,
  resource: Resource,
  verb: Verb,
  isLeftOut: typeof isFromPlace = () => false,
): InputFieldMap {
  const given = resource.fields.filter(({ name }) => !isLeftOut(resource, name));
  return Object.fromEntries(
    given.map((field) => {
      const usual = verb === 'create' ? field.default : undefined;
      return [
        field.name,
        t.field({
          type: inputTypeOf(builder, resource, field),
          required: verb === 'create' && field.required && field.name !== 'idx',
          ...(usual === undefined ? {} : { defaultValue: usual }),
          extensions: {
            ...valueNotes(resource, field),
            ...constrained({ ...constraintFor(resource, field, verb), usual }).extensions,
          },
        }),
      ];
    }),
  );
}

function inputTypeOf(builder: Builder, resource: Resource, field: Field) {
  if (isDocumentStatus(resource, field.name)) return documentStatus(builder);
  return isId(field) ? 'ID' : field.type;
}

function constraintFor(resource: Resource, field: Field, verb: Verb): Constraint {
  const notNull = verb !== 'create' && field.required ? { notNull: insteadOfNull(field, verb) } : {};
  if (isReference(resource, field.name)) return { notEmpty: true, longest: longestId, ...notNull };
  if (field.name === 'idx' && resource.kind === 'child') return { minimum: 1, ...notNull };
  // A new document begins as a draft.
  if (isDocumentStatus(resource, field.name)) return verb === 'create' ? { oneOf: statuses.slice(0, 1) } : {};
  const namesRecord = resource.links.some(({ text, by }) => text === field.name && by === 'id');
  return namesRecord ? { ...notNull, namesRecord } : notNull;
}

/** What to do instead of clearing a required field. In a save, a line without `id` is new and has no value to keep. */
function insteadOfNull({ type }: Field, verb: Verb): Constraint['notNull'] {
  const value = `send ${kindsOfValue[type]}`;
  const keep = `${value}, or leave it out to keep its value`;
  return verb === 'saveLine' ? ({ id }) => (id == null ? `a new line needs it: ${value}` : keep) : keep;
}
