/**
 * `@include` and `@skip`. They change which fields an operation selects, so it is compiled once for each combination of
 * their values.
 */
import {
  type ConstDirectiveNode,
  type DirectiveNode,
  type DocumentNode,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import type { Variables } from './variables.js';

/** The values of the variables in `@include` and `@skip`. */
export type Conditions = Readonly<Record<string, boolean>>;

export function meetsConditions(directives: readonly DirectiveNode[], conditions: Conditions): boolean {
  const skip = getDirectiveValues(GraphQLSkipDirective, { directives }, conditions);
  const include = getDirectiveValues(GraphQLIncludeDirective, { directives }, conditions);
  return skip?.if !== true && include?.if !== false;
}

/** Reads the conditions of a request; undefined if one is not a boolean. */
export type ReadConditions = (variables: Variables) => Conditions | undefined;

/** Undefined if the operation has no directives. */
export function conditionsOf(document: DocumentNode, operation: OperationDefinitionNode): ReadConditions | undefined {
  const declared = new Set(operation.variableDefinitions?.map(({ variable }) => variable.name.value));
  const names = new Set<string>();
  let isConditional = false;
  visit(document, {
    Directive({ arguments: given = [] }: DirectiveNode | ConstDirectiveNode) {
      isConditional = true;
      for (const { value } of given) {
        if (value.kind === Kind.VARIABLE && declared.has(value.name.value)) names.add(value.name.value);
      }
    },
  });
  if (!isConditional) return undefined;
  return (variables) => {
    const conditions: Record<string, boolean> = {};
    for (const name of names) {
      const value = variables[name];
      if (typeof value !== 'boolean') return undefined;
      conditions[name] = value;
    }
    return conditions;
  };
}

/** Whether the operation itself or one of its variables has a directive, which the compiler does not know. */
export function hasDirectives({ directives, variableDefinitions = [] }: OperationDefinitionNode): boolean {
  return [directives, ...variableDefinitions.map((variable) => variable.directives)].some((each) => each?.length);
}
