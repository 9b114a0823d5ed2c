/** Answers the queries through the gateway's GraphQL. */
import { connectionField, type Resource } from '../../../src/model/resource.js';
import type { TestGateway } from '../../support/gateway.js';
import type { Answer } from './answer.js';
import { columnNamed, resourceNamed } from './columns.js';
import type { AggregateQuestion, ListQuestion, Question } from './question.js';

/** @throws with the answer where it holds errors */
export function answerThrough(gateway: TestGateway, question: Question): Promise<Answer> {
  return question.kind === 'list' ? listThrough(gateway, question) : aggregateThrough(gateway, question);
}

async function listThrough(gateway: TestGateway, question: ListQuestion): Promise<Answer> {
  const resource = resourceNamed(question.model);
  const { nested: plain, connections, links, goOn, kind: _, model, ...page } = question;
  const nested = [...plain, ...connections];
  const lines = nested.map(({ field }, index) => {
    const isPlain = index < plain.length;
    const size = isPlain ? 'limit' : 'first';
    const given = `where: $where${index}, orderBy: $orderBy${index}, ${size}: $limit${index}, offset: $offset${index}`;
    if (isPlain) return `lines${index}: ${field}(${given}) { id }`;
    const name = resource.lines.some((list) => list.field === field) ? connectionField({ field }) : field;
    return `lines${index}: ${name}(${given}) { totalCount nodes { id } }`;
  });
  const linked = links.map((field, index) => `link${index}: ${field} { id }`);
  const declarations = [
    `$where: ${model}Filter`,
    `$orderBy: [${model}Sort!]`,
    '$first: Int',
    '$offset: Int',
    '$after: String',
    ...(page.parentId === undefined ? [] : ['$parentId: ID!']),
    ...nested.flatMap(({ field }, index) => declaredOf(resource, field, index)),
  ];
  const parent = page.parentId === undefined ? '' : 'parentId: $parentId, ';
  const query = `query (${declarations.join(', ')}) {
    page: ${resource.many}(${parent}where: $where, orderBy: $orderBy, first: $first, offset: $offset, after: $after) {
      totalCount
      pageInfo { hasNextPage endCursor }
      nodes { id ${[...lines, ...linked].join(' ')} }
    }
  }`;
  const nestedVariables = nested.map(({ where, orderBy, limit, offset }, index) => ({
    [`where${index}`]: where,
    [`orderBy${index}`]: orderBy,
    [`limit${index}`]: limit,
    [`offset${index}`]: offset,
  }));
  const variables = Object.assign({}, page, ...nestedVariables);
  const one = (await ask(gateway, query, variables)).page;
  const { endCursor } = one.pageInfo;
  const pages = [one];
  if (goOn && endCursor)
    pages.push((await ask(gateway, query, { ...variables, offset: undefined, after: endCursor })).page);
  return {
    total: one.totalCount,
    records: pages
      .flatMap(({ nodes }) => nodes)
      .map((node: Record<string, Nested>) => ({
        id: String(node.id),
        lines: [
          ...nested.map((_, index) => idsIn(node[`lines${index}`])),
          ...links.map((_, index) => idsIn(node[`link${index}`])),
        ],
      })),
    hasMore: pages.at(-1).pageInfo.hasNextPage,
  };
}

/** Lines, a connection, or a linked record. */
type Nested = { id: string }[] | { totalCount: number; nodes: { id: string }[] } | { id: string } | null | undefined;

/** The ids, behind the number of all for a connection. */
function idsIn(nested: Nested): string[] {
  if (!nested) return [];
  if (Array.isArray(nested)) return nested.map(({ id }) => id);
  return 'nodes' in nested ? [String(nested.totalCount), ...idsIn(nested.nodes)] : [nested.id];
}

function declaredOf({ lines, waysBack }: Resource, field: string, index: number): string[] {
  const child = [...lines, ...waysBack].find((candidate) => candidate.field === field)?.resource.model;
  return [
    `$where${index}: ${child}Filter`,
    `$orderBy${index}: [${child}Sort!]`,
    `$limit${index}: Int`,
    `$offset${index}: Int`,
  ];
}

async function aggregateThrough(gateway: TestGateway, question: AggregateQuestion): Promise<Answer> {
  const { model, groupBy, measures, kind: _, ...rest } = question;
  const resource = resourceNamed(model);
  const keys = groupBy.map(({ field }) => (field === 'ID' ? 'recordId' : columnNamed(resource, field).name));
  const measured = measures.map(({ of, field }, index) => `m${index}: ${field} { value: ${of} }`);
  const query = `query ($where: ${model}Filter, $groupBy: [${model}AggregateSort!], $having: ${model}Having, $orderBy: [${model}AggregateSort!], $first: Int!, $offset: Int!) {
    answer: ${resource.one}Aggregate(where: $where, groupBy: $groupBy, having: $having, orderBy: $orderBy, first: $first, offset: $offset) {
      groups { count ${keys.map((key, index) => `k${index}: ${key} { value: key }`).join(' ')} ${measured.join(' ')} }
      hasMoreGroups
    }
  }`;
  const { answer } = await ask(gateway, query, { ...rest, groupBy });
  return {
    groups: answer.groups.map((group: Record<string, Record<string, string | number | boolean | null>>) => ({
      count: group.count,
      values: [
        ...keys.map((_, index) => group[`k${index}`]?.value ?? null),
        ...measures.map((_, index) => group[`m${index}`]?.value ?? null),
      ],
    })),
    hasMore: answer.hasMoreGroups,
  };
}

async function ask(gateway: TestGateway, query: string, variables: object) {
  const { body, text } = await gateway.rest('POST', '/graphql', jsonOf({ query, variables }));
  if (body.errors) throw new Error(`${text}\n${query}\n${jsonOf(variables)}`);
  return body.data;
}

/** JSON that keeps -0, which JSON.stringify does not. */
function jsonOf(value: object): string {
  const marked = JSON.stringify(value, (_, each) => (Object.is(each, -0) ? '<-0>' : each));
  return marked.replaceAll('"<-0>"', '-0.0');
}
