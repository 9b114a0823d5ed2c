/**
 * Finds the operation for a method and a path. A path is a resource's base, followed by nothing, an id, an id and an
 * action, or `reorder`, so two map look-ups suffice for any number of endpoints. Paths are case-sensitive.
 */
import type { RestOperation } from './operations.js';

export type Route =
  | { operation: RestOperation; id?: string }
  /** The path exists, but not with this method. */
  | { allow: string[] }
  | undefined;

/** The operations of one path, by method. */
type Methods = Partial<Record<string, RestOperation>>;

export type FindRoute = (method: string, path: string) => Route;

export function createRoutes(operations: readonly RestOperation[]): FindRoute {
  const bases = new Map<string, Map<string, Methods>>();
  for (const operation of operations) {
    const { base } = operation.resource;
    const shapes = bases.get(base) ?? new Map<string, Methods>();
    const shape = operation.path.slice(base.length);
    bases.set(base, shapes.set(shape, { ...shapes.get(shape), [operation.method]: operation }));
  }

  return (method, path) => {
    const end = endOfBase(path);
    const shapes = bases.get(path.slice(0, end));
    if (!shapes) return undefined;
    const [first, action, ...others] = end === path.length ? [] : path.slice(end + 1).split('/');
    if (first === '' || action === '' || others.length > 0) return undefined;
    const fixed = action === undefined && first !== '{id}' ? shapes.get(`/${first}`) : undefined;
    const ofFixed = fixed?.[method];
    if (ofFixed) return { operation: ofFixed };
    const shape = first === undefined ? '' : action === undefined ? '/{id}' : `/{id}/${action}`;
    const named = shapes.get(shape);
    const operation = named?.[method];
    if (operation) return first === undefined ? { operation } : { operation, id: first };
    const allow = Object.keys({ ...named, ...fixed });
    return allow.length > 0 ? { allow } : undefined;
  };
}

/** The end of `/api/<area>/<slug>`: the fourth slash or the end of the path. */
function endOfBase(path: string): number {
  const area = path.indexOf('/', 1);
  const slug = area < 0 ? -1 : path.indexOf('/', area + 1);
  const end = slug < 0 ? -1 : path.indexOf('/', slug + 1);
  return end < 0 ? path.length : end;
}
