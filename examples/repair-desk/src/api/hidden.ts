import { createContext, useContext } from 'react';
import type { ViewerQuery } from '../generated/graphql.js';

/** The fields that the roles of the person hide, of a repair and of its lines. */
export interface Hidden {
  repair: ReadonlySet<string>;
  lines: ReadonlySet<string>;
}

export const nothingHidden: Hidden = { repair: new Set(), lines: new Set() };

export const hiddenFrom = ({ viewer }: ViewerQuery): Hidden => ({
  repair: new Set(viewer?.hidden),
  lines: new Set(viewer?.hiddenOfLines),
});

export const HiddenFields = createContext(nothingHidden);
export const useHidden = (): Hidden => useContext(HiddenFields);
