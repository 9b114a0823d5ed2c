import { useSuspenseQuery } from '@tanstack/react-query';
import type { About, TypeAbout } from '../../about.js';
import { addressOf } from '../router.js';

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

/** The gateway did not answer, or its answer was cut off. */
class Unreachable extends Error {
  constructor(cause: unknown) {
    super('The gateway cannot be reached. Is it still running?', { cause });
  }
}

/**
 * Asks the gateway. Only what happens on the way is `Unreachable`: a request that cannot be made at all, such as one
 * with a header that has letters no header takes, is thrown unchanged.
 */
export async function reach(address: string | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(address, init);
  return onTheWay(fetch(request));
}

/** The JSON of an answer. Something between the browser and the gateway may have answered instead, without any. */
export async function jsonOf<Body>(response: Response): Promise<Body> {
  const text = await onTheWay(response.text());
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`The gateway, or what is before it, answered ${response.status} and no JSON.`);
  }
}

async function onTheWay<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    // A request that nobody waits for any more was ended here.
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Unreachable(error);
  }
}
