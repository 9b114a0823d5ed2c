import {
  areSameLines,
  type Draft,
  emptyDraft,
  type Field,
  fields,
  isSameText,
  lineFields,
  type Texts,
  textsOf,
  valueIn,
} from '../document/draft.js';
import type {
  CreateAssetRepairInput,
  RecordAction,
  RepairPartsFragment,
  SaveAssetRepairInput,
} from '../generated/graphql.js';
import type { Hidden } from './hidden.js';

/** A repair as the form reads it. */
export type Repair = RepairPartsFragment;

/** What people call the repair. */
export function nameOf({ asset, displayTitle }: Pick<Repair, 'asset' | 'displayTitle'>): string {
  return asset || displayTitle;
}

export const addressOf = ({ id }: Pick<Repair, 'id'>) => `/repairs/${encodeURIComponent(id)}`;

/** Whether this key may do it with the record as it is now; if not, why. */
export function permissionTo(action: RecordAction, { actions }: Repair) {
  return actions.find((state) => state.action === action) ?? { allowed: false, reason: null };
}

/** A sentence that says why nothing can be entered; null while editing is possible. */
export function whyLocked(repair: Repair): string | null {
  // The desk leaves a submitted repair as it is, also where the gateway would not.
  if (repair.status !== 'DRAFT') return `It is ${repair.status.toLowerCase()}, and is not changed any more.`;
  const { allowed, reason } = permissionTo('UPDATE', repair);
  return allowed ? null : (reason ?? 'You may not change it.');
}

/** The repair as the form begins with it; an empty form for a new one. */
export function draftOf(repair: Repair | null): Draft {
  if (repair === null) return emptyDraft();
  const consumedItems = (repair.consumedItems ?? []).map((line) => ({
    ...textsOf(lineFields, ({ name }) => textOf(line[name])),
    key: line.id,
    id: line.id,
  }));
  return { ...textsOf(fields, ({ name }) => textOf(repair[name])), consumedItems };
}

function textOf(value: string | number | null): string {
  return value === null ? '' : String(value);
}

/**
 * What a save sends to turn `base` into `draft`: the fields that differ, and all lines if one differs. What is hidden from the
 * person is left as it is.
 */
export function saveInputOf(draft: Draft, base: Draft, hidden: Hidden): SaveAssetRepairInput {
  const changed = fields.filter((field) => !isSameText(field, draft[field.name], base[field.name]));
  const input: SaveAssetRepairInput = valuesOf(changed, draft);
  if (areSameLines(draft.consumedItems, base.consumedItems)) return input;
  const withId = (id: string | null) => (id === null ? {} : { id });
  return {
    ...input,
    consumedItems: draft.consumedItems.map((line) => ({ ...withId(line.id), ...valuesOf(shownIn(hidden), line) })),
  };
}

/** The input that creates a repair from the draft; empty values are left to the gateway. */
export function createInputOf(draft: Draft, hidden: Hidden): CreateAssetRepairInput {
  const { asset, failureDate, consumedItems } = draft;
  const filled = fields.filter(
    ({ name, ...field }) => !hidden.repair.has(name) && valueIn(field, draft[name]) !== null,
  );
  const lines = consumedItems.map((line) => {
    const { itemCode, warehouse } = line;
    return { ...valuesOf(shownIn(hidden), line), itemCode, warehouse };
  });
  return { ...valuesOf(filled, draft), asset, failureDate, consumedItems: lines };
}

const shownIn = ({ lines }: Hidden) => lineFields.filter(({ name }) => !lines.has(name));

/** The values that the texts mean, each with the type of its field. */
type Values<Of extends Field> = { [F in Of as F['name']]?: (F['type'] extends 'number' ? number : string) | null };

function valuesOf<Of extends Field>(those: readonly Of[], texts: Texts<readonly Of[]>): Values<Of> {
  // Object.fromEntries forgets the names and types of what it is given.
  return Object.fromEntries(
    those.map((field) => [field.name, valueIn(field, texts[field.name as Of['name']])]),
  ) as Values<Of>;
}
