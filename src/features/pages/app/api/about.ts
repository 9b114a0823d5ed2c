import { useSuspenseQuery } from '@tanstack/react-query';
import type { About, TypeAbout } from '../../about.js';
import { addressOf } from '../addresses.js';
import { jsonOf, reach } from './reach.js';

/** What the pages know without a key. It does not change while the gateway runs. */
export function useAbout(): About {
  return useSuspenseQuery({ queryKey: ['about'], queryFn: load, staleTime: Number.POSITIVE_INFINITY }).data;
}

async function load(): Promise<About> {
  const response = await reach(addressOf('pages/about.json'));
  if (!response.ok) throw new Error(`The gateway answered ${response.status}.`);
  return jsonOf(response);
}

/** The type of this name, which is that of GraphQL or that of REST: an address may hold either. */
export const typeNamed = ({ types }: About, name: string): TypeAbout | undefined =>
  types.find(({ model, slug }) => model === name || slug === name);

/** The types by area, in the order of the catalogue. */
export function areasOf({ types }: About): { name: string; types: TypeAbout[] }[] {
  const areas = new Map<string, TypeAbout[]>();
  for (const type of types) areas.set(type.area, [...(areas.get(type.area) ?? []), type]);
  return [...areas].map(([name, types]) => ({ name, types }));
}

const titles: Record<string, string> = { crm: 'CRM' };

/** `subcontracting` → `Subcontracting`. */
export const areaTitle = (area: string): string => titles[area] ?? area.slice(0, 1).toUpperCase() + area.slice(1);
