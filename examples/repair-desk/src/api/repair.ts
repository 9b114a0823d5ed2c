import { areSameLines, type Draft, type DraftLine, emptyDraft, valuesBy } from '../document/draft.js';
import { type Field, fields, isSameText, lineFields } from '../document/fields.js';
import type {
  CreateAssetRepairInput,
  RepairPartsFragment,
  SaveAssetRepairInput,
  UpdateAssetRepairConsumedItemInput,
} from '../generated/graphql.js';
import { permissionTo } from '../record/permission-to.js';

/** A repair as the form reads it. */
export type Repair = RepairPartsFragment;

/** Whether the desk allows edits: a submitted repair is booked and stays as it is. */
export function isEditable(repair: Repair): boolean {
  return repair.status === 'DRAFT' && permissionTo('UPDATE', repair).allowed;
}

/** A sentence that says why nothing can be entered; none while editing is possible. */
export function whyLocked(repair: Repair): string | null {
  if (repair.status !== 'DRAFT') return `It is ${repair.status.toLowerCase()}, and is not changed any more.`;
  return permissionTo('UPDATE', repair).reason;
}

/** The repair as the form begins with it; an empty form for a new one. */
export function draftOf(repair: Repair | null): Draft {
  if (repair === null) return emptyDraft();
  return {
    values: valuesBy(fields, ({ name }) => textOf(repair[name])),
    lines: (repair.consumedItems ?? []).map((line) => ({
      key: line.id,
      id: line.id,
      values: valuesBy(lineFields, ({ name }) => textOf(line[name])),
    })),
  };
}

/** What a save sends to turn `base` into `draft`: the fields that differ, and all lines if one differs. */
export function saveInputOf(draft: Draft, base: Draft): SaveAssetRepairInput {
  const changed = fields.filter((field) => !isSameText(field, draft.values[field.name], base.values[field.name]));
  const input: SaveAssetRepairInput = valuesIn(changed, draft.values);
  return areSameLines(draft.lines, base.lines) ? input : { ...input, consumedItems: draft.lines.map(lineInputOf) };
}

/** The input that creates a repair from the draft; empty values are left to the gateway. */
export function createInputOf({ values, lines }: Draft): CreateAssetRepairInput {
  const filled = fields.filter(({ name }) => values[name] !== '');
  return {
    ...valuesIn(filled, values),
    asset: values.asset,
    failureDate: values.failureDate,
    consumedItems: lines.map((line) => ({
      ...valuesIn(lineFields, line.values),
      itemCode: line.values.itemCode,
      warehouse: line.values.warehouse,
    })),
  };
}

function lineInputOf({ id, values }: DraftLine): UpdateAssetRepairConsumedItemInput {
  return { ...(id === null ? {} : { id }), ...valuesIn(lineFields, values) };
}

/** The values that the texts mean, each with the type of its field. */
type Values<Of extends Field> = { [F in Of as F['name']]?: (F['type'] extends 'number' ? number : string) | null };

function valuesIn<Of extends Field>(those: readonly Of[], texts: Record<Of['name'], string>): Values<Of> {
  const entries = those.map(({ name, type }) => [name, valueIn(type, texts[name as Of['name']])]);
  // Object.fromEntries forgets the names and types of what it is given.
  return Object.fromEntries(entries) as Values<Of>;
}

function valueIn(type: Field['type'], text: string): string | number | null {
  if (text === '') return null;
  return type === 'number' ? Number(text) : text;
}

function textOf(value: string | number | null): string {
  return value === null ? '' : String(value);
}
