/** The input types of all mutations, derived from the resources. */
import type { InputFieldMap, InputRef } from '@pothos/core';
import type { Values } from '../../model/change.js';
import { isDocumentStatus, statuses } from '../../model/document-status.js';
import type { Field } from '../../model/field.js';
import { longestId, mostLines } from '../../model/limits.js';
import type { Resource } from '../../model/resource.js';
import type { Builder } from '../builder.js';
import { kindsOfValue } from '../guards/value-problem.js';
import { perResource } from '../per-builder.js';
import { describedAt } from '../types/columns.js';
import { documentStatus } from '../types/document-status.js';
import { isId, isReference } from '../types/is-reference.js';
import { valueNotes } from '../value-notes.js';
import { type Constraint, constrained } from './constraint.js';

export type InputFields = Parameters<NonNullable<Parameters<Builder['inputType']>[1]['fields']>>[0];
/**
 * `CreateAssetRepairInput`: required fields are non-null, defaults are declared, lines are nested. A line has the same input
 * alone and within its new parent, where its parent and position follow from where it is.
 */
export const createInput = perResource(createInputType);

/** `UpdateAssetRepairInput`: every field is optional; a field left out stays unchanged. */
export const updateInput = perResource(
  (builder, resource): InputRef<Values> =>
    builder.inputType(`Update${resource.model}Input`, {
      description: `${meaningOf('Update', resource)}${savedLines(resource)} ${describedAt(resource)}`,
      fields: (t) => ({
        ...(resource.parents.length > 0 ? { id: savedId(t) } : {}),
        ...fieldsOf(builder, t, resource, 'update'),
      }),
    }),
);

function createInputType(builder: Builder, resource: Resource): InputRef<Values> {
  return builder.inputType(`Create${resource.model}Input`, {
    description: `${meaningOf('Create', resource)}${newLine(resource)} ${describedAt(resource)}`,
    fields: (t) => ({
      ...fieldsOf(builder, t, resource, 'create'),
      ...Object.fromEntries(
        resource.lines.map((lines) => [
          lines.field,
          t.field({
            type: [createInput(builder, lines.resource)],
            ...constrained({ maximumLength: mostLines, purpose: 'newLines' }),
          }),
        ]),
      ),
    }),
  });
}

/** What an input means, in GraphQL and in REST. */
export const meaningOf = (verb: 'Create' | 'Update', { title }: Resource): string =>
  verb === 'Create'
    ? `What to record of a new ${title}. A field set to null is the same as one left out.`
    : `What to change of this ${title}. A field left out stays as it is; null clears it, to its default where it has one.`;

/** The description of lines that are created alone or within their parent. */
const newLine = ({ parents, scope }: Resource): string =>
  parents.length > 0 ? ` It needs \`${scope}\`, but within its new parent, from whose list \`idx\` follows.` : '';

const savedLines = ({ parents }: Resource): string =>
  parents.length > 0
    ? ' In a save of its parent, a line with an `id` is the line that has it; one without is new, and a field left out gets its default.'
    : '';

const savedId = (t: InputFields) =>
  t.id(constrained({ only: { purpose: 'savedLines', instead: 'is an argument of its own here; leave it out' } }));

/** Whether a line's field follows from where the line is, within its parent. */
export const isFromPlace = ({ scope, parents }: Resource, name: string): boolean =>
  parents.length > 0 && (name === scope || name === 'idx' || name === 'parentType');

/** The documented fields as input fields. */
export function fieldsOf(
  builder: Builder,
  t: InputFields,
  resource: Resource,
  verb: 'create' | 'update',
): InputFieldMap {
  return Object.fromEntries(
    resource.fields.map((field) => {
      const isRequired = verb === 'create' && field.required && field.name !== 'idx';
      const fromPlace = isFromPlace(resource, field.name);
      return [
        field.name,
        t.field({
          type: inputTypeOf(builder, resource, field),
          required: isRequired && !fromPlace,
          ...(verb === 'create' && field.default !== undefined ? { defaultValue: field.default } : {}),
          extensions: {
            ...valueNotes(resource, field),
            ...constrained({
              ...constraintFor(resource, field, verb),
              ...(fromPlace
                ? { only: { purpose: 'other', instead: 'follows from where the line is; leave it out' } }
                : {}),
              ...(fromPlace && isRequired ? { requiredFor: 'other' } : {}),
            }).extensions,
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

function constraintFor(resource: Resource, field: Field, verb: 'create' | 'update'): Constraint {
  const notNull = verb === 'update' && field.required ? { notNull: insteadOfNull(field) } : {};
  if (isReference(resource, field.name)) return { notEmpty: true, longest: longestId, ...notNull };
  if (field.name === 'idx' && resource.kind === 'child') return { minimum: 1, ...notNull };
  // A new document begins as a draft.
  if (isDocumentStatus(resource, field.name)) return verb === 'create' ? { oneOf: statuses.slice(0, 1) } : {};
  return notNull;
}

/** What to do instead of clearing a required field. In a save, a line without `id` is new and has no value to keep. */
function insteadOfNull({ type }: Field): Constraint['notNull'] {
  const value = `send ${kindsOfValue[type]}`;
  return ({ id }, purpose) =>
    purpose === 'savedLines' && id == null
      ? `a new line needs it: ${value}`
      : `${value}, or leave it out to keep its value`;
}
