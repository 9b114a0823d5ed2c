/** The input types of all mutations, derived from the resources. */
import type { InputFieldMap, InputRef } from '@pothos/core';
import type { Values } from '../../model/change.js';
import type { Field } from '../../model/field.js';
import { longestId, mostLines } from '../../model/limits.js';
import type { Lines, Resource } from '../../model/resource.js';
import { statuses } from '../../records/lifecycle.js';
import type { Builder } from '../builder.js';
import { kindsOfValue } from '../guards/value-problem.js';
import { perResource } from '../per-builder.js';
import { describedAt } from '../types/columns.js';
import { isReference } from '../types/is-reference.js';
import { type Constraint, constrained } from './constraint.js';

export type InputFields = Parameters<NonNullable<Parameters<Builder['inputType']>[1]['fields']>>[0];
type Purpose = 'create' | 'update' | 'save';

/** `CreateAssetRepairInput`: required fields are non-null, defaults are declared, lines are nested. */
export const createInput = perResource(
  (builder, resource): InputRef<Values> =>
    builder.inputType(`Create${resource.model}Input`, {
      description: `What to record of a new ${resource.title}. A field set to null is the same as one left out. ${describedAt(resource)}`,
      fields: (t) => ({
        ...fieldsOf(t, resource, resource.fields, 'create'),
        ...Object.fromEntries(resource.lines.map((lines) => [lines.field, linesInput(builder, t, resource, lines)])),
      }),
    }),
);

/** `UpdateAssetRepairInput`: every field is optional; a field left out stays unchanged. */
export const updateInput = perResource(
  (builder, resource): InputRef<Values> =>
    builder.inputType(`Update${resource.model}Input`, {
      description: `What to change of this ${resource.title}. A field left out stays as it is; null clears it, to its default where it has one. ${describedAt(resource)}`,
      fields: (t) => fieldsOf(t, resource, resource.fields, 'update'),
    }),
);

/**
 * A line inside its new parent: without a reference to the parent, and without `idx`, because the list gives the order.
 */
function linesInput(builder: Builder, t: InputFields, parent: Resource, { resource }: Lines) {
  const type = builder.inputType(`${resource.model}LineInput`, {
    description: `A line given together with its new ${parent.title}; its place in the list becomes its \`idx\`. ${describedAt(resource)}`,
    fields: (line) => fieldsOf(line, resource, fieldsOfLine(resource), 'create'),
  });
  return t.field({
    type: [type],
    ...constrained({ maximumLength: mostLines }),
  });
}

/** The fields of a line inside its parent's input; its parent and position follow from where it is. */
export function fieldsOfLine({ fields, scope }: Resource): Field[] {
  return fields.filter(({ name }) => name !== scope && name !== 'idx' && name !== 'parentType');
}

/** The documented fields as input fields. */
export function fieldsOf(
  t: InputFields,
  resource: Resource,
  fields: readonly Field[],
  purpose: Purpose,
): InputFieldMap {
  return Object.fromEntries(
    fields.map((field) => {
      const optionalIdx = field.name === 'idx';
      const required = purpose === 'create' && field.required && !optionalIdx;
      return [
        field.name,
        t.field({
          type: isReference(resource, field.name) ? 'ID' : field.type,
          required,
          ...(purpose === 'create' && field.default !== undefined ? { defaultValue: field.default } : {}),
          ...constrained(constraintFor(resource, field, purpose)),
        }),
      ];
    }),
  );
}

function constraintFor(resource: Resource, field: Field, purpose: Purpose): Constraint {
  const notNull = purpose !== 'create' && field.required ? { notNull: insteadOfNull(field, purpose) } : {};
  if (isReference(resource, field.name)) return { notEmpty: true, longest: longestId, ...notNull };
  if (field.name === 'idx' && resource.kind === 'child') return { minimum: 1, ...notNull };
  if (field.name === 'status' && resource.documentLike) {
    return { oneOf: purpose === 'create' ? statuses.slice(0, 1) : statuses };
  }
  return notNull;
}

/** What to do instead of clearing a required field. In a save, a line without `id` is new and has no value to keep. */
function insteadOfNull({ type }: Field, purpose: Purpose): Constraint['notNull'] {
  const value = `send ${kindsOfValue[type]}`;
  const orKeep = `${value}, or leave it out to keep its value`;
  return purpose === 'save' ? ({ id }) => (id == null ? `a new line needs it: ${value}` : orKeep) : orKeep;
}
