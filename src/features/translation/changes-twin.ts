/** The call of REST for `changes`, the query or the subscription. */

import type { Call } from './call.js';
import { noTwin } from './no-twin.js';
import type { FieldArguments } from './root-field.js';
import type { TranslationProblem } from './shell-words.js';
import type { TypeNames } from './type-names.js';

export function changesTwin(
  endpoint: string,
  { after, first, types: models, actions, ...others }: FieldArguments,
  types: readonly Pick<TypeNames, 'model' | 'slug'>[],
): Call | TranslationProblem {
  if (Object.keys(others).length > 0) return noTwin(others);
  for (const [name, list] of Object.entries({ types: models, actions })) {
    if (Array.isArray(list) && list.length === 0)
      return { problem: `An empty list of \`${name}\` asks for no changes at all; REST has no call for that.` };
  }
  const query = new URLSearchParams();
  if (after != null) query.set('after', String(after));
  if (first != null) query.set('limit', String(first));
  // `UOM_CATEGORY` is the type `UOMCategory`. The browser has this code, and none of the model's.
  const typeNamed = (name: unknown) =>
    types.find(({ model }) => model.toUpperCase() === String(name).replaceAll('_', ''));
  const slugs = [models ?? []].flat().map((name) => typeNamed(name)?.slug ?? String(name));
  if (slugs.length > 0) query.set('types', slugs.join(','));
  // REST has the words in lower case.
  const named = [actions ?? []].flat().map((action) => String(action).toLowerCase());
  if (named.length > 0) query.set('actions', named.join(','));
  const path = query.size > 0 ? `${endpoint}?${query}` : endpoint;
  const headers: Record<string, string> = endpoint === '/api/events' ? { accept: 'text/event-stream' } : {};
  return { method: 'GET', origin: '', path, headers, body: undefined };
}
