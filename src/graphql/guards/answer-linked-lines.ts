import { queryFromInfo } from '@pothos/plugin-prisma';
import { type GraphQLSchema, isObjectType } from 'graphql';
import { isObject } from '../../common/is-object.js';
import type { Lines } from '../../model/resource.js';
import { linkedByFilter, readLines } from '../../query/read.js';
import { guardLoad, guardResolver, loadOf, sqlAnswerOf } from '../answered-by-sql.js';

/** Answers lists of lines whose filter follows links by SQL: Prisma, which reads all others, knows no links. */
export function answerLinkedLines(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const lines = linesOf(field);
      if (!lines) continue;
      const isLinked = ({ where }: LinesArguments) => isObject(where) && linkedByFilter(lines.resource, where).size > 0;
      const load = loadOf(field);
      if (typeof load === 'function') {
        guardLoad(field, (args: LinesArguments, ...others: unknown[]): unknown =>
          isLinked(args) ? { select: { id: true } } : load(args, ...others),
        );
      }
      guardResolver(field, (resolve) => (source, args, context, info) => {
        if (!isLinked(args) || !isRecord(source)) return resolve(source, args, context, info);
        const typeName = lines.resource.model;
        return readLines(
          context,
          lines,
          source.id,
          args,
          queryFromInfo({ context, info, typeName, select: { id: true } }),
        );
      });
    }
  }
  return schema;
}

interface LinesArguments {
  where?: unknown;
}

function linesOf(field: Parameters<typeof sqlAnswerOf>[0]): Lines | undefined {
  const answer = sqlAnswerOf(field);
  return answer?.kind === 'lines' ? answer.lines : undefined;
}

const isRecord = (source: unknown): source is { id: string } => isObject(source) && typeof source.id === 'string';
