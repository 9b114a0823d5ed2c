import { type ASTNode, type DocumentNode, type GraphQLError, Kind, visit } from 'graphql';
import type { Problem } from '../../model/errors/problem.js';
import { nameOf } from './show-error.js';

/**
 * Adds the name of the argument to each error about a value in a document, in `extensions.errors` as for variables:
 * GraphQL's own messages only say where the value is. The errors quote no values any more.
 */
export function nameValues(document: DocumentNode, errors: readonly GraphQLError[]): void {
  const paths = pathsOf(document, new Set(errors.flatMap(({ nodes }) => nodes ?? [])));
  for (const error of errors) {
    const path = error.nodes?.map((node) => paths.get(node)).find((found) => found !== undefined);
    if (!path) continue;
    error.extensions.errors = [{ param: nameOf(path), code: 'parameter_invalid', message: error.message }];
  }
}

/** The names and positions from the argument inwards, for each node of `wanted` inside an argument. */
function pathsOf(document: DocumentNode, wanted: ReadonlySet<ASTNode>): Map<ASTNode, Problem['path']> {
  const paths = new Map<ASTNode, Problem['path']>();
  const path: Problem['path'] = [];
  visit(document, {
    enter(node, key, parent) {
      const part = partOf(node, key, parent);
      if (part !== undefined) path.push(part);
      if (path.length > 0 && wanted.has(node)) paths.set(node, [...path]);
    },
    leave(node, key, parent) {
      if (partOf(node, key, parent) !== undefined) path.pop();
    },
  });
  return paths;
}

/** Inside an argument, the only lists are list values. */
function partOf(node: ASTNode, key: string | number | undefined, parent: unknown): string | number | undefined {
  if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) return node.name.value;
  return Array.isArray(parent) && isValue.has(node.kind) ? Number(key) : undefined;
}

const isValue = new Set<ASTNode['kind']>([
  Kind.VARIABLE,
  Kind.INT,
  Kind.FLOAT,
  Kind.STRING,
  Kind.BOOLEAN,
  Kind.NULL,
  Kind.ENUM,
  Kind.LIST,
  Kind.OBJECT,
]);
