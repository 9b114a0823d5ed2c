import type { GraphQLSchema } from 'graphql';
import { changesPath, changesText } from '../../../rest/changes.js';
import { eventsPath, eventsText } from '../../../rest/events.js';
import { changesName, eventsName, type RestOperation } from '../../../rest/operations.js';
import type { Callable, UsageHost } from '../../change/context.js';
import type { Deprecations } from './deprecations.js';
import { deprecatedParts } from './note-uses.js';

/** What usage reports need to know: the endpoints, the deprecated parts of the schema, and the replacement of each. */
export function usageHost(
  operations: readonly RestOperation[],
  schema: GraphQLSchema,
  deprecations: Deprecations,
): UsageHost {
  const endpoint = (name: string, call: string, text: () => string): Callable => {
    let made: string | undefined;
    // Kept, because a report asks for it once for each key that calls the endpoint.
    const replacement = () => {
      made ??= text();
      return made;
    };
    const { since, sunset, documentation } = deprecations.get(name) ?? {};
    return {
      surface: 'rest',
      name,
      call,
      isDeprecated: since !== undefined,
      since,
      sunset,
      documentation,
      replacement,
    };
  };
  const all = new Map<string, Callable>();
  for (const operation of operations) {
    const { name, method, path } = operation;
    all.set(
      name,
      endpoint(name, `${method} ${path}`, () => operation.text),
    );
  }
  all.set(changesName, endpoint(changesName, `GET ${changesPath}`, changesText));
  all.set(eventsName, endpoint(eventsName, `GET ${eventsPath}`, eventsText));
  for (const [name, reason] of deprecatedParts(schema)) {
    all.set(name, { surface: 'graphql', name, call: name, isDeprecated: true, replacement: () => reason });
  }
  return { find: (name) => all.get(name), deprecated: [...all.values()].filter(({ isDeprecated }) => isDeprecated) };
}
