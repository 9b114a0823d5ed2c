import {
  type FragmentDefinitionNode,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { RecordOperation } from '../../model/catalogue.js';
import type { Resource } from '../../model/resource.js';
import { requiredScopes, requireScopes, type Scope } from '../../model/scopes.js';
import { type answeredBySql, guardResolver } from '../answered-by-sql.js';
import type { weighed } from '../limits/cost-parts.js';

/** What a field does, which determines who may use it. Kept in the field's extensions. */
export type Access =
  | { resource: Resource; operation: RecordOperation }
  | { scope: Scope }
  /** The arguments determine the record types, by ids or by name, so whoever answers calls `requireScopes` for each. */
  | 'by id'
  /** It tells nothing but what concerns the caller's own key. */
  | 'any key';

export const withAccess = (
  access: Access,
  others: Partial<ReturnType<typeof answeredBySql> & ReturnType<typeof weighed>> = {},
) => ({
  extensions: { access, ...others },
});

/** The access of a field; undefined for a field that is reached only through one that has an access. */
export function accessOf({ extensions }: { extensions: { access?: Access } }): Access | undefined {
  return extensions.access;
}

/**
 * Refuses a field with FORBIDDEN if the key lacks its scopes, before its arguments are checked. A key that may write
 * but not read may select the ids and version of what it writes; anything more is refused before anything is written.
 * @throws if a root field has no access: then the gateway cannot start
 */
export function guardScopes(schema: GraphQLSchema): GraphQLSchema {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const access = accessOf(field);
      if (!access && roots.includes(type)) {
        throw new Error(`${type.name}.${field.name} does not say who may use it; give it \`...accessed(…)\``);
      }
      if (!access || typeof access === 'string') continue;
      guardResolver(field, (resolve) => (source, args, context, info) => {
        const returnsRecord =
          'resource' in access && returnsMore(access.operation, args, (names) => selectsOnly(info, names));
        const needed =
          'scope' in access
            ? [access.scope]
            : requiredScopes(access.resource, access.operation, { input: args.input, returnsRecord });
        requireScopes(context.identity, needed);
        return resolve(source, args, context, info);
      });
    }
  }
  return schema;
}

/** What every writer may see of a written record. */
const ofRecord: Names = { id: 'all', recordId: 'all', version: 'all', __typename: 'all' };
/** The same in a payload. */
const acknowledgement: Names = { record: ofRecord, records: ofRecord, userErrors: 'all', __typename: 'all' };

/** What every writer may see of lines after a reorder, if it sent their ids. */
const acknowledgedOrder: Names = {
  records: { id: 'all', recordId: 'all', __typename: 'all' },
  userErrors: 'all',
  __typename: 'all',
};

/**
 * Whether a write returns more of the record than every writer may see. `asksOnly` says whether all selected fields are
 * among the given names.
 */
export function returnsMore(
  operation: RecordOperation,
  args: { ids?: unknown },
  asksOnly: (names: Names) => boolean,
): boolean {
  switch (operation) {
    case 'retrieve':
    case 'list':
    case 'delete':
      return false;
    case 'reorder':
      return args.ids == null || !asksOnly(acknowledgedOrder);
    default:
      return !asksOnly(acknowledgement);
  }
}

/** Names that may be selected: with anything below them, or with nothing but the names that are given for them. */
export type Names = Readonly<{ [name: string]: 'all' | Names }>;

/** Whether everything selected below a field is among `names`; fields with `@skip` count too. */
export function selectsOnly({ fieldNodes, fragments }: Selection, names: Names): boolean {
  return fieldNodes.every(({ selectionSet }) => !selectionSet || holdsFor(selectionSet, fragments, names, new Set()));
}

type Selection = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>;

/** `seen` has the fragments that have been checked for these names. */
function holdsFor(
  { selections }: SelectionSetNode,
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
  names: Names,
  seen: Set<string>,
): boolean {
  return selections.every((selection) => {
    if (selection.kind === Kind.FIELD) {
      const name = selection.name.value;
      const below = Object.hasOwn(names, name) ? names[name] : undefined;
      if (below === undefined || below === 'all') return below === 'all';
      return selection.selectionSet !== undefined && holdsFor(selection.selectionSet, fragments, below, new Set());
    }
    if (selection.kind === Kind.INLINE_FRAGMENT) return holdsFor(selection.selectionSet, fragments, names, seen);
    const name = selection.name.value;
    if (seen.has(name)) return true;
    seen.add(name);
    const fragment = fragments[name];
    return fragment !== undefined && holdsFor(fragment.selectionSet, fragments, names, seen);
  });
}
