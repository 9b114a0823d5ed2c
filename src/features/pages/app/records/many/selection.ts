import { useState } from 'react';
import type { TypeAbout } from '../../../about.js';
import { useMay } from '../../session/viewer.js';

const actions = ['SUBMIT', 'CANCEL', 'UPDATE', 'DELETE'] as const;
export type ManyAction = (typeof actions)[number];

/** What can be done to many records of a type at once, by whoever is signed in. */
export function useManyActions(type: TypeAbout): ManyAction[] {
  const may = useMay();
  if (type.kind === 'child') return [];
  return actions.filter((action) => may(type, action));
}

const none = { isAll: false, ids: new Set<string>() };

export type Selection = ReturnType<typeof useSelection>;

/** Which records are selected, on whatever page, as long as the list shows what `of` says: these, or all but these. */
export function useSelection(of: string, total: number) {
  const [kept, keep] = useState({ of, ...none });
  const standing = (now: typeof kept) => (now.of === of ? now : none);
  const { isAll, ids } = standing(kept);
  return {
    ...{ isAll, ids, count: isAll ? Math.max(0, total - ids.size) : ids.size },
    has: (id: string) => ids.has(id) !== isAll,
    choose(some: readonly string[], isChosen: boolean) {
      const given = new Set(some);
      // What was selected meanwhile stays so: many are read before they are selected.
      keep((now) => {
        const { isAll, ids } = standing(now);
        return { of, isAll, ids: isChosen === isAll ? ids.difference(given) : ids.union(given) };
      });
    },
    chooseAll: () => keep({ of, ...none, isAll: true }),
    clear: () => keep({ of, ...none }),
  };
}
