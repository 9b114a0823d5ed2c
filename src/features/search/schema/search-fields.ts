/** `search`: the records of all types whose words, or those of their lines, are sought. */
import type { GraphQLSchema } from 'graphql';
import type { Identity } from '../../../change/context.js';
import { guardResolver, withAccess } from '../../../graphql/answered-by-sql.js';
import type { Builder } from '../../../graphql/builder.js';
import { constrained, mostNamed } from '../../../graphql/inputs/filters.js';
import { type OwnWeight, weighed } from '../../../graphql/limits/cost-parts.js';
import { wordsIn } from '../../../graphql/limits/selection-cost.js';
import { comparisonWeight } from '../../../graphql/limits/sizes.js';
import { connectionType, pageArguments, selectionOfPage } from '../../../graphql/types/connection.js';
import { recordTypeName } from '../../../graphql/types/enums.js';
import { mainRecord } from '../../../graphql/types/record-interfaces.js';
import { catalogue } from '../../../model/catalogue.js';
import { refusal } from '../../../model/errors/error-rows.js';
import { errors } from '../../../model/errors/errors.js';
import { longestSearch } from '../../../model/limits.js';
import { enumName } from '../../../model/names.js';
import type { Resource } from '../../../model/resource.js';
import { readableAmong } from '../../../model/scopes.js';
import { searchAll, searchedList } from '../found-pages.js';
import { soughtWords } from '../search-sql.js';
import { hiddenText, isSearched } from '../searched-fields.js';

export function addSearch(builder: Builder, resources: readonly Resource[]): void {
  builder.queryField('search', (t) =>
    t.field({
      type: connectionType(builder, 'Search', mainRecord(builder), {
        edge: 'A record that a search has found',
        page: 'A page of what a search has found',
      }),
      nullable: true,
      ...withAccess('by id', weighed(searchWeight)),
      description:
        'The records of all types that the key may read in whose texts, or those of their lines, each of the words begins a word. The best come first, and equals newest first. None for a text without words.',
      args: {
        query: t.arg.string({
          required: true,
          description: 'The words, as in `search` of a list.',
          ...constrained({ longest: longestSearch }),
        }),
        types: t.arg({
          type: [recordTypeName(builder)],
          description: 'Only records of these types. A line is found as its document.',
          ...mostNamed,
        }),
        ...pageArguments(builder),
      },
      resolve: (_, { query, types, ...page }, context, info) =>
        searchAll(context, soughtTypes(context.identity, resources, types), {
          query,
          selectionOf: (resource) => selectionOfPage(context, info, resource),
          arguments: page,
        }),
    }),
  );
}

/** The types that a search without `types` may look into. */
const searchedTypes = Object.values(catalogue).filter(({ kind }) => kind === 'resource').length;

/** Each word is looked for in each type. */
const searchWeight: OwnWeight = (given) => comparisonWeight * wordsIn(given('query')) * typesIn(given('types'));

/** A single name stands for a list of it. */
function typesIn(named: unknown): number {
  if (named === null || named === undefined) return searchedTypes;
  return Array.isArray(named) ? Math.min(named.length, searchedTypes) : 1;
}

/** @throws FORBIDDEN like `readableAmong`, and for a type with hidden texts; BAD_USER_INPUT for one that has no list */
function soughtTypes(identity: Identity, resources: readonly Resource[], named: readonly string[] | null | undefined) {
  const { rights } = identity;
  const sought = readableAmong(identity, named ? resources : resources.filter(isSearched), named);
  if (!named) return sought.filter((resource) => !rights || hiddenText(rights, resource) === undefined);
  for (const resource of sought) requireSearchable(identity, resource);
  const other = sought.find((resource) => !isSearched(resource));
  if (!other) return sought;
  const instead = other.kind === 'child' ? 'a line is found as its document' : 'there is only one record of it';
  const message = `names ${enumName(other.model)}, which is not searched: ${instead}`;
  throw errors.invalidAt(['types'], message);
}

/** @throws FORBIDDEN for a type with a hidden text: the index knows words, and not in which field they stand */
function requireSearchable({ rights }: Identity, resource: Resource): void {
  const hidden = rights && hiddenText(rights, resource);
  if (hidden === undefined) return;
  const message = `\`${hidden}\` of ${resource.model} is hidden from you, and a search would find its words, so this type is not searched for you.`;
  throw refusal('forbidden', `${message} Use conditions in \`where\` instead.`);
}

/** The argument `search` of the lists of a type. */
export const searchArgument = (builder: Builder, _resource: Resource, query: 'one' | 'many') =>
  query === 'many' ? builder.args((t) => ({ search: t.string(constrained({ longest: longestSearch })) })) : {};

/** Answers lists that are searched. A text without words leaves nothing out. */
export function answerSearched(schema: GraphQLSchema, resources: readonly Resource[]): void {
  const fields = schema.getQueryType()?.getFields() ?? {};
  for (const resource of resources) {
    const list = fields[resource.many];
    if (!list?.args.some(({ name }) => name === 'search')) continue;
    guardResolver(list, (resolve) => (source, { search, ...others }, context, info) => {
      const words = soughtWords(search, 'search');
      if (words.length === 0) return resolve(source, others, context, info);
      requireSearchable(context.identity, resource);
      const { where, orderBy, ...page } = others;
      const selection = selectionOfPage(context, info, resource);
      return searchedList(context, resource, { words, where, orderBy, selection, arguments: page });
    });
  }
}
