import { defaultFieldResolver, type GraphQLSchema, isObjectType } from 'graphql';
import { errors } from '../errors.js';
import { constraintOf } from './constraint.js';
import { inputProblems } from './input-problems.js';

/**
 * Checks the arguments of every field before it is resolved. GraphQL's coercion has seen to their types; what it lets
 * through in a literal (`1e999`, U+0000, null for a field marked R) stops here. Variables were checked before the
 * operation began, by the same rules.
 */
export function guardArguments(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      if (field.args.length === 0) continue;
      const resolve = field.resolve ?? defaultFieldResolver;
      field.resolve = (source, args, context, info) => {
        const problems = field.args.flatMap((argument) => {
          const named = { type: argument.type, constraint: constraintOf(argument) };
          return inputProblems(args[argument.name], named, [argument.name], { isCoerced: true });
        });
        if (problems.length > 0) throw errors.badInput(problems);
        return resolve(source, args, context, info);
      };
    }
  }
  return schema;
}
