/**
 * Which operation a method and a path name. A path is a resource's base, and then nothing, an id, an id and an action,
 * or `reorder`; so two look-ups find it, whatever the number of endpoints. Paths are case-sensitive.
 */
import type { RestOperation } from './operations.js';

export type Route =
  | { operation: RestOperation; id?: string }
  /** The path is known, the method is not among those it takes. */
  | { allow: string[] }
  | undefined;

/** The operations of one path, by method. */
type Methods = Partial<Record<string, RestOperation>>;

export function createRoutes(operations: readonly RestOperation[]): (method: string, path: string) => Route {
  const bases = new Map<string, Map<string, Methods>>();
  for (const operation of operations) {
    const { base } = operation.resource;
    const shapes = bases.get(base) ?? new Map<string, Methods>();
    const shape = operation.path.slice(base.length);
    bases.set(base, shapes.set(shape, { ...shapes.get(shape), [operation.method]: operation }));
  }

  return (method, path) => {
    const [, api, area, slug, ...rest] = path.split('/');
    const shapes = bases.get(`/${api}/${area}/${slug}`);
    if (!shapes) return undefined;
    const [first, action, ...more] = rest;
    if (more.length > 0 || rest.includes('')) return undefined;
    const shape = first === undefined ? '' : action === undefined ? '/{id}' : `/{id}/${action}`;
    const fixed = action === undefined && first !== '{id}' ? shapes.get(`/${first}`) : undefined;
    const methods: Methods = { ...shapes.get(shape), ...fixed };
    const operation = methods[method];
    if (operation)
      return first === undefined || operation === fixed?.[operation.method] ? { operation } : { operation, id: first };
    const allow = Object.keys(methods);
    return allow.length > 0 ? { allow } : undefined;
  };
}
