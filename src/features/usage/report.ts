/** Who calls what, with what takes its place: for GraphQL and for the command line. */

import {
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isInterfaceType,
  isListType,
  isObjectType,
  type OperationDefinitionNode,
  separateOperations,
  TypeInfo,
  typeFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { isObject } from '../../common/is-object.js';
import { oncePer } from '../../common/kept.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Database } from '../../database/open-database.js';
import type { Endpoint } from '../../gateway/api.js';
import type { Joined } from '../../gateway/feature.js';
import { type ApiKey, keysById } from '../keys/api-keys.js';
import type { Deprecations } from './deprecations.js';
import { mostUses, type Usage, type Use, type UsedSurface } from './usage.js';

/** An endpoint of REST, or a deprecated part of the schema. */
export interface Callable extends Pick<Use, 'surface' | 'name'> {
  /** `GET /api/assets/asset-repair`, or the coordinate again. */
  call: string;
  isDeprecated: boolean;
  /** For endpoints: since when it is deprecated, and when it ends. */
  since?: Date | undefined;
  sunset?: Date | undefined;
  /** The GraphQL operation that does the same as an endpoint, or the reason for which a part of the schema is deprecated. */
  readonly replacement: string;
}

/** What clients may call, by name; what was called under any other name exists no more. */
export type Callables = ReadonlyMap<string, Callable>;

export function callablesOf(
  endpoints: readonly Endpoint[],
  schema: GraphQLSchema,
  deprecations: Deprecations,
): Callables {
  const all = new Map<string, Callable>();
  for (const endpoint of endpoints) {
    const { name, method, path } = endpoint;
    const { since, sunset } = deprecations.get(name) ?? {};
    all.set(name, {
      surface: 'rest',
      name,
      call: `${method} ${path}`,
      isDeprecated: since !== undefined,
      since,
      sunset,
      get replacement() {
        return textOf(endpoint);
      },
    });
  }
  for (const [name, replacement] of deprecatedParts(schema))
    all.set(name, { surface: 'graphql', name, call: name, isDeprecated: true, replacement });
  return all;
}

/** Kept, because a report asks for it once for each key that calls the endpoint. */
const textOf = oncePer(({ text }: Endpoint) => text);

const deprecatedAmong = (callables: Callables): Callable[] =>
  [...callables.values()].filter(({ isDeprecated }) => isDeprecated);

export interface ReportFilter extends Omit<UseFilter, 'names'> {
  onlyDeprecated: boolean;
}

export interface ReportedUse extends UseOfKey {
  /** Undefined for a key that is gone. */
  key: ApiKey | undefined;
  /** Undefined if it no longer exists. */
  callable: Callable | undefined;
}

/** Something deprecated, with how it is still called. */
export interface ReportedDeprecation extends Pick<Use, 'calls'> {
  callable: Callable;
  keys: number;
  /** Of the last call; undefined where nobody has called it. */
  lastAt: number | undefined;
}

/** By name, of each the keys that have called it last; a page of at most `limit`. */
export async function usageReport(
  database: Pick<Database, 'provider' | 'read' | 'client'>,
  callables: Callables,
  { onlyDeprecated, ...filter }: ReportFilter,
  page: { limit: number; offset: number },
): Promise<ReportedUse[]> {
  const names = onlyDeprecated ? deprecatedAmong(callables).map(({ name }) => name) : undefined;
  const uses = await usesByKey(database, { ...filter, names }, page);
  const keys = await keysById(database, [...new Set(uses.map(({ keyId }) => keyId))]);
  return uses.map((use) => ({ ...use, key: keys.get(use.keyId), callable: callables.get(use.name) }));
}

export async function deprecationReport(
  database: Pick<Database, 'provider' | 'read'>,
  callables: Callables,
): Promise<ReportedDeprecation[]> {
  const found = new Map<string, ReportedDeprecation>();
  for (const callable of deprecatedAmong(callables))
    found.set(callable.name, { callable, keys: 0, calls: 0, lastAt: undefined });
  const uses = await usesByKey(database, { names: [...found.keys()] }, { limit: mostUses, offset: 0 });
  for (const { name, calls, lastAt } of uses) {
    const reported = found.get(name);
    if (!reported) continue;
    reported.keys++;
    reported.calls += calls;
    reported.lastAt ??= lastAt;
  }
  return [...found.values()];
}

// Reads who calls what, as it is stored: what is still counted in memory is added within a minute.

/** Which uses to read; what is left out or null is no condition. */
export interface UseFilter {
  surface?: UsedSurface | null | undefined;
  name?: string | null | undefined;
  keyId?: string | null | undefined;
  /** Only of what has one of these names. */
  names?: readonly string[] | undefined;
  /** Only of keys that have called it since. */
  since?: Date | null | undefined;
}

/** The calls of one thing by one key. */
export interface UseOfKey extends Omit<Use, 'userAgent'> {
  /** The latest first. */
  userAgents: readonly Pick<Use, 'userAgent' | 'calls' | 'firstAt' | 'lastAt'>[];
}

/** By name, of each the keys that have called it last. */
export async function usesByKey(
  { provider, read }: Pick<Database, 'provider' | 'read'>,
  { since, ...filter }: UseFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<UseOfKey[]> {
  if (!read) throw new Error('Uses are read outside of transactions');
  const given = [JSON.stringify(filter), since?.getTime() ?? 0, limit, offset];
  const found = await read(texts[provider], given, 'unbounded');
  return found.map(([keyId, surface, name, agents, ...counts]) => {
    const userAgents: [agent: string, ...counts: number[]][] = JSON.parse(String(agents));
    return {
      keyId: String(keyId),
      surface: surface === 'graphql' ? 'graphql' : 'rest',
      name: String(name),
      ...countsOf(counts),
      userAgents: userAgents
        .map(([userAgent, ...counts]) => ({ userAgent, ...countsOf(counts) }))
        .sort((one, other) => other.lastAt - one.lastAt),
    };
  });
}

const countsOf = ([calls, firstAt, lastAt]: readonly unknown[]) => ({
  calls: Number(calls),
  firstAt: Number(firstAt),
  lastAt: Number(lastAt),
});

const agent = '"userAgent", "calls", "firstAt", "lastAt"';

/** `agents` is the JSON of a group, `filter` that of the filter, and `names` are the names in it. */
const text = (agents: string, filter: string, names: string) => `
  SELECT "keyId", "surface", "name", ${agents}, sum("calls"), min("firstAt"), max("lastAt") FROM "ApiUse"
  WHERE "surface" = coalesce(${filter} ->> 'surface', "surface") AND "name" = coalesce(${filter} ->> 'name', "name")
    AND "keyId" = coalesce(${filter} ->> 'keyId', "keyId") AND (${filter} ->> 'names' IS NULL OR "name" IN (${names}))
  GROUP BY "keyId", "surface", "name" HAVING max("lastAt") >= $2
  ORDER BY "name", max("lastAt") DESC, "keyId" LIMIT $3 OFFSET $4`;

const texts: Record<Provider, string> = {
  sqlite: text(`json_group_array(json_array(${agent}))`, '$1', "SELECT value FROM json_each($1, '$.names')").replaceAll(
    /\$(?=\d)/g,
    '?',
  ),
  postgresql: text(
    `json_agg(json_build_array(${agent}))::text`,
    '$1::json',
    "SELECT json_array_elements_text($1::json -> 'names')",
  ),
};

/**
 * Notes which deprecated parts of the schema an operation of a key uses, by their coordinates: `AssetRepair.title`. What is
 * written in a document is found once; what its variables hold is looked for each time. Undefined where no part is deprecated.
 */
export function createNoteUses(schema: GraphQLSchema, usage: Pick<Usage, 'count'>): Joined['admitted'] {
  const parts = deprecatedParts(schema);
  if (parts.size === 0) return undefined;
  const written = oncePer((definition: OperationDefinitionNode, document: DocumentNode) =>
    writtenIn(schema, document, definition, parts),
  );
  return (keyId, { document, definition, variables }, headers) => {
    const found = new Set(written(definition, document));
    for (const { type, variable } of definition.variableDefinitions ?? []) {
      const input = typeFromAST(schema, type);
      if (isInputType(input)) addGiven(input, variables[variable.name.value], parts, found);
    }
    for (const coordinate of found) usage.count(keyId, 'graphql', coordinate, headers);
  };
}

type Parts = ReadonlyMap<string, string>;

function writtenIn(
  schema: GraphQLSchema,
  document: DocumentNode,
  definition: OperationDefinitionNode,
  parts: Parts,
): ReadonlySet<string> {
  const found = new Set<string>();
  const note = (coordinate: string) => parts.has(coordinate) && found.add(coordinate);
  const types = new TypeInfo(schema);
  const own = separateOperations(document)[definition.name?.value ?? ''] ?? document;
  visit(
    own,
    visitWithTypeInfo(types, {
      Field: ({ name }) => void note(`${types.getParentType()?.name}.${name.value}`),
      Argument: ({ name }) => void note(`${types.getParentType()?.name}.${types.getFieldDef()?.name}(${name.value}:)`),
      ObjectField: ({ name }) => {
        const parent = types.getParentInputType();
        note(`${parent && getNamedType(parent).name}.${name.value}`);
      },
      EnumValue: ({ value }) => {
        const type = types.getInputType();
        note(`${type && getNamedType(type).name}.${value}`);
      },
    }),
  );
  return found;
}

/** Adds the deprecated fields and values of inputs in a value of a variable. */
function addGiven(type: GraphQLInputType, value: unknown, parts: Parts, found: Set<string>): void {
  const inner = getNullableType(type);
  if (isListType(inner)) {
    for (const item of Array.isArray(value) ? value : [value]) addGiven(inner.ofType, item, parts, found);
    return;
  }
  const note = (coordinate: string) => parts.has(coordinate) && found.add(coordinate);
  if (isEnumType(inner)) return void note(`${inner.name}.${String(value)}`);
  if (!isInputObjectType(inner) || !isObject(value)) return;
  const fields = inner.getFields();
  for (const [name, each] of Object.entries(value)) {
    note(`${inner.name}.${name}`);
    const field = fields[name];
    if (field) addGiven(field.type, each, parts, found);
  }
}

interface Part {
  name: string;
  deprecationReason?: string | null | undefined;
}

/** Every field, argument, field of an input and value of an enum that is `@deprecated`, with the reason, by coordinate. */
function deprecatedParts(schema: GraphQLSchema): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const note = (coordinate: string, { deprecationReason: reason }: Part) => {
    if (reason != null) found.set(coordinate, reason);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isEnumType(type)) for (const value of type.getValues()) note(`${type.name}.${value.name}`, value);
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      note(`${type.name}.${field.name}`, field);
      const args: readonly Part[] = 'args' in field ? field.args : [];
      for (const argument of args) note(`${type.name}.${field.name}(${argument.name}:)`, argument);
    }
  }
  return found;
}
