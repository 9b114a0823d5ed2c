import type { RecordAction, RecordHeadingFragment } from '../generated/graphql.js';

/** Whether this key may do it with the record as it is now; if not, why. */
export function permissionTo(
  action: RecordAction,
  { actions }: Pick<RecordHeadingFragment, 'actions'>,
): { allowed: boolean; reason: string | null } {
  return actions.find((state) => state.action === action) ?? { allowed: false, reason: null };
}
