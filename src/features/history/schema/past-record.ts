/** A record as it was: the argument `asOf`, and what answers it. */
import { type GraphQLField, type GraphQLResolveInfo, type GraphQLSchema, isObjectType } from 'graphql';
import type { RequestContext } from '../../../change/context.js';
import { wholeOf } from '../../../change/journal/seen-entries.js';
import { createSerialQueue } from '../../../database/queues.js';
import { guardResolver, recordOf, sqlAnswerOf } from '../../../graphql/answered-by-sql.js';
import type { Builder } from '../../../graphql/builder.js';
import { weighed } from '../../../graphql/limits/cost-parts.js';
import { fieldsBelow, selectionIn } from '../../../graphql/operation/selection.js';
import { type Arguments, computedOf } from '../../../graphql/types/record-type.js';
import { errors } from '../../../model/errors/errors.js';
import { type PastId, pastIdIn } from '../../../model/ids.js';
import { connectionField, type Lines, type Resource, resourceById, singletonId } from '../../../model/resource.js';
import { requiredScopes, requireScopes } from '../../../model/scopes.js';
import type { SqlAnswer } from '../../../model/selection.js';
import { documentOfLine, effortOf, isPast, type PastRecord, pastIdOf, pastParentOf } from '../past/past-document.js';
import { pastLines, pastPage } from '../past/past-page.js';
import { readPast } from '../past/read-past.js';

/** The argument `asOf` of the queries of one record; lines are in their documents. */
export const pastArgument = (builder: Builder, { kind }: Resource, query: 'one' | 'many') =>
  query === 'one' && kind !== 'child' ? builder.args((t) => ({ asOf: t.field({ type: 'DateTime' }) })) : {};

/** @throws as `readPast` does */
async function pastRecord(
  context: RequestContext,
  resource: Resource,
  { id, asOf }: { id: string; asOf: Date },
  info: GraphQLResolveInfo,
): Promise<PastRecord | null> {
  const { database, identity } = context;
  const asked = { resource, id, lists: listsIn(resource, info), effort: effortOf(context), rights: identity.rights };
  const document = await readPast(wholeOf(database), { moment: { asOf }, ...asked });
  return document ? document.record : null;
}

/** What an id of the past names, a document or a line of one. @throws as `readPast` does */
async function pastNode(
  context: RequestContext,
  resource: Resource,
  { id, version }: PastId,
  info: GraphQLResolveInfo,
): Promise<PastRecord | null> {
  const { database, identity } = context;
  const effort = effortOf(context);
  const owner = resource.kind === 'child' ? await documentOfLine(database, resource, id) : { resource, id };
  if (!owner) return null;
  const selected = new Set(listsIn(owner.resource, info));
  const lists = owner.resource.lines.filter((list) => list.resource === resource || selected.has(list));
  const key = [owner.id, version, ...lists.map(({ field }) => field)].join(' ');
  const asked = { moment: { version }, lists, effort, rights: identity.rights };
  const reading = effort.documents.get(key) ?? readPast(wholeOf(database), { ...owner, ...asked });
  effort.documents.set(key, reading);
  const document = await reading;
  if (owner.resource === resource) return document?.record ?? null;
  return document?.linesOf(resource).find((line) => line.id === id) ?? null;
}

/** The lists of lines that are selected at any depth, or all of them if a condition may look at those that are not. */
function listsIn({ lines }: Resource, info: GraphQLResolveInfo): readonly Lines[] {
  const selected = [...fieldsBelow(selectionIn(info).fields, info.variableValues)];
  if (selected.some(({ arguments: given }) => given.where != null)) return lines;
  const names = new Set(selected.map(({ definition }) => definition.name));
  return lines.filter((list) => names.has(list.field) || names.has(connectionField(list)));
}

/**
 * Has the queries of one record answer with `asOf`, `node` and `nodes` answer ids of the past, and each record field answer for
 * records of the past.
 */
export function answerPast(schema: GraphQLSchema, resources: readonly Resource[]): void {
  const fields = schema.getQueryType()?.getFields() ?? {};
  for (const resource of resources) answerAsOf(fields[resource.one], resource);
  answerPastIds(fields, resources);
  for (const type of Object.values(schema.getTypeMap())) {
    if (isObjectType(type) && recordOf(type)) for (const field of Object.values(type.getFields())) answerOfPast(field);
  }
}

type Field = GraphQLField<unknown, RequestContext>;

/** The cost of a record as it was, for which up to 20,000 later changes are undone, instead of the one that a present one costs. */
const pastWeight = 1_000;

function answerAsOf(field: Field | undefined, resource: Resource): void {
  if (!field?.args.some(({ name }) => name === 'asOf')) return;
  field.extensions = { ...field.extensions, ...weighed((given) => (given('asOf') == null ? 0 : pastWeight - 1)) };
  guardResolver(field, (resolve) => (source, { asOf, ...args }, context, info) => {
    if (!asOf) return resolve(source, args, context, info);
    const id = resource.kind === 'singleton' ? singletonId(resource) : args.id;
    return pastRecord(context, resource, { id, asOf }, info);
  });
}

/** How many states ids name. A single id stands for a list of it. */
const statesIn = (ids: unknown): number => [ids].flat().filter((id) => typeof id === 'string' && pastIdIn(id)).length;

function answerPastIds({ node, nodes }: Record<string, Field>, resources: readonly Resource[]): void {
  const resourceOfId = resourceById(resources);
  const find = async (id: string, past: PastId, context: RequestContext, info: GraphQLResolveInfo) => {
    const resource = resourceOfId(id);
    if (!resource) return null;
    requireScopes(context.identity, requiredScopes(resource, 'retrieve'));
    const row = await pastNode(context, resource, past, info);
    return row && { ...row, __typename: resource.model };
  };
  if (node) {
    node.extensions = { ...node.extensions, ...weighed((given) => pastWeight * statesIn(given('id'))) };
    guardResolver(node, (resolve) => (source, args, context, info) => {
      const past = pastIdIn(args.id);
      return past ? find(args.id, past, context, info) : resolve(source, args, context, info);
    });
  }
  if (nodes) {
    nodes.extensions = { ...nodes.extensions, ...weighed((given) => pastWeight * statesIn(given('ids'))) };
    guardResolver(nodes, (resolve) => (source, args, context, info) => {
      const ids: readonly string[] = args.ids;
      const pasts = ids.map(pastIdIn);
      if (!pasts.some((past) => past)) return resolve(source, args, context, info);
      const present = resolve(source, { ids: ids.filter((_, place) => !pasts[place]) }, context, info);
      const others = Array.isArray(present) ? present.values() : [].values();
      const inTurn = createSerialQueue();
      return ids.map((id, place) => {
        const past = pasts[place];
        return past ? inTurn(() => find(id, past, context, info), { last: true }) : others.next().value;
      });
    });
  }
}

/**
 * Answers a field of a record of the past from what was read of the past, by what SQL is told of it. The resolver of present
 * records would read the database, and show a present value as one of the past.
 */
function answerOfPast(field: Field): void {
  const answer = computedOf(field) ?? pastAnswerOf(field.name, sqlAnswerOf(field));
  guardResolver(field, (resolve) => (source, args, context, info) => {
    if (!isPast(source)) return resolve(source, args, context, info);
    if (answer) return answer(source, args, context);
    const message = 'is not known of the past; ask for it without `asOf`';
    throw errors.invalidAt([field.name], message);
  });
}

type PastAnswer = (row: PastRecord, args: Arguments, context: RequestContext) => unknown;

/** Undefined for what is not known of the past: records that a text names, and those that name this one. */
function pastAnswerOf(name: string, sql: SqlAnswer | undefined): PastAnswer | undefined {
  if (sql?.kind === 'column') return name === 'id' ? pastIdOf : (row) => row[sql.column];
  if (sql?.kind === 'parent') return (row) => pastParentOf(sql.parent, row) ?? null;
  if (sql?.kind === 'lines') return (row, args) => pastLines(sql.lines, row, args);
  if (sql?.kind !== 'related' || 'link' in sql.list) return undefined;
  const { list } = sql;
  return (row, args) => pastPage(list, row, args);
}
