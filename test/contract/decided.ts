/** Decisions where the document is silent, as data; the facts of the document are in `document.ts`. */
import type { DocumentedOperation, DocumentedResource } from './document.js';

/**
 * Defaults the document counts or mentions without saying which field has them (2.6, 2.8, 2.9), by the title of the resource.
 */
export const decidedDefaults: Record<string, Record<string, number | boolean>> = {
  'Job Card': {
    total_completed_qty: 0,
    transferred_qty: 0,
    requested_qty: 0,
    is_corrective_job_card: false,
    is_subcontracted: false,
    skip_material_transfer: false,
    backflush_from_wip_warehouse: false,
    is_paused: false,
    track_semi_finished_goods: false,
  },
  Timesheet: { total_hours: 0, total_billable_amount: 0, exchange_rate: 1 },
};

/** Operations of a resource that its clause leaves open and that the gateway offers as extensions. */
export function decidedOperations({ title, kind }: DocumentedResource): readonly DocumentedOperation[] {
  return [...(kind === 'child' ? (['retrieve'] as const) : []), ...(decidedByTitle[title] ?? [])];
}

const decidedByTitle: Record<string, readonly DocumentedOperation[]> = {
  'Process Statement Of Accounts Customer': ['delete', 'reorder'],
  'Subcontracting Order': ['cancel'],
  Quotation: ['update', 'delete', 'submit', 'cancel'],
};
