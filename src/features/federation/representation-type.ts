import { GraphQLError, Kind, type ValueNode, valueFromASTUntyped, visit } from 'graphql';
import { isObject } from '../../common/is-object.js';
import { nearest } from '../../common/nearest.js';
import type { Builder } from '../../graphql/builder.js';
import { kindOf } from '../../graphql/guards/value-problem.js';
import { pastIdIn } from '../../model/past-id.js';
import type { Resource } from '../../model/resource.js';
import { isStorableText } from '../../model/storable.js';
import { Representation } from './representation.js';

export function addRepresentations(builder: Builder, resources: readonly Resource[]): void {
  const byName = new Map(resources.map((resource): [string, Resource] => [resource.model, resource]));
  /** @throws TypeError with what is wrong, as the end of a sentence that begins with the name of the argument */
  const parseValue = (value: unknown): Representation => {
    if (!isObject(value)) throw new TypeError(`must be an object with \`__typename\` and \`id\`, not ${kindOf(value)}`);
    const { __typename: type, id } = value;
    if (typeof type !== 'string') throw new TypeError('must have the name of a record type as `__typename`');
    const resource = byName.get(type);
    if (!resource) throw new TypeError(`must have the name of a record type as \`__typename\`${meant(type, byName)}`);
    if (typeof id !== 'string') throw new TypeError(`must have the id of the ${resource.title} as \`id\`, a string`);
    if (!isStorableText(id)) {
      throw new TypeError('must have an `id` without U+0000 and without halves of surrogate pairs');
    }
    if (pastIdIn(id)) throw new TypeError('names a state of the past by its `id`; give the `recordId` of the record');
    return new Representation(resource, id);
  };
  builder.scalarType('_Any', {
    description:
      'A record as a router of Apollo Federation names it: `{"__typename": "AssetRepair", "id": "asset-repair_…"}`. Other members are ignored.',
    serialize: (value) => value,
    parseValue,
    parseLiteral: (node) => {
      try {
        return parseValue(constant(node));
      } catch (error) {
        throw new GraphQLError(`_Any ${error instanceof Error ? error.message : 'cannot be used'}`, { nodes: node });
      }
    },
  });
}

/** The value of a literal. @throws TypeError for one that holds variables, whose values validation does not know */
function constant(node: ValueNode): unknown {
  visit(node, {
    [Kind.VARIABLE]: () => {
      throw new TypeError('must be a variable as a whole, or have no variable within it');
    },
  });
  return valueFromASTUntyped(node);
}

function meant(name: string, known: ReadonlyMap<string, Resource>): string {
  const similar = name.length <= 100 ? nearest(name, known.keys()) : undefined;
  return similar ? `; did you mean ${similar}?` : '';
}
