/** The order in which the types of the schema are printed and listed. */
import type { GraphQLSchema } from 'graphql';
import type { Resource } from '../model/resource.js';

/**
 * Puts the records first, after the interfaces they share, then the roots, then the types that belong to one record type,
 * by record type, and then the others.
 */
export function orderTypes(schema: GraphQLSchema, resources: readonly Pick<Resource, 'model' | 'plural'>[]): void {
  const types = schema.getTypeMap();
  const placed = Object.entries(types).map(([name, type]) => ({ name, type, place: placeOf(name, resources) }));
  placed.sort((one, other) => one.place - other.place);
  for (const { name } of placed) delete types[name];
  for (const { name, type } of placed) types[name] = type;
}

const first = ['Node', 'BusinessRecord', 'MainRecord', 'BusinessDocument'];
const roots = ['Query', 'Mutation', 'Subscription'];

/** Types with the same place stay in the order in which they were made. */
function placeOf(name: string, resources: readonly Pick<Resource, 'model' | 'plural'>[]): number {
  const leading = [...first, ...resources.map(({ model }) => model), ...roots];
  const place = leading.indexOf(name);
  if (place >= 0) return place;
  const owner = ownerOf(name, resources);
  return leading.length + (owner >= 0 ? owner : resources.length);
}

/** The place of the record type that a name such as `CreateAssetRepairConsumedItemInput` holds: the longest, if several. */
export function ownerOf(name: string, resources: readonly Pick<Resource, 'model' | 'plural'>[]): number {
  let owner = -1;
  for (const [index, { model, plural }] of resources.entries()) {
    const isLonger = model.length > (resources[owner]?.model.length ?? 0);
    if (isLonger && (name.includes(model) || name.includes(plural))) owner = index;
  }
  return owner;
}
