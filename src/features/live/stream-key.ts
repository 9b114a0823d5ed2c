/** When two subscriptions can share their events: the same selection, the same values that matter, the same access. */
import { type DocumentNode, type FieldNode, Kind, type OperationDefinitionNode, print, visit } from 'graphql';
import type { Identity } from '../../change/context.js';
import type { Subscription } from '../../graphql/operation/admission.js';

/** Equal for subscriptions that get the same events, wherever they begin. */
export function streamKey({ document, definition, root }: Subscription, { scopes }: Pick<Identity, 'scopes'>): string {
  const { text, names } = shapeOf(document, definition, root.nodes);
  const variables = names.map((name) => (name in root.variables ? [root.variables[name]] : []));
  return JSON.stringify([root.key, text, variables, scopes.toSorted()]);
}

interface Shape {
  /** The text without the argument that says where the stream begins. */
  text: string;
  /** The variables it uses. */
  names: readonly string[];
}

const known = new WeakMap<OperationDefinitionNode, Shape>();

function shapeOf(
  { definitions }: DocumentNode,
  definition: OperationDefinitionNode,
  roots: readonly FieldNode[],
): Shape {
  const shape = known.get(definition) ?? withoutBeginning(definitions, definition, new Set(roots));
  known.set(definition, shape);
  return shape;
}

function withoutBeginning(
  definitions: DocumentNode['definitions'],
  definition: OperationDefinitionNode,
  roots: ReadonlySet<FieldNode>,
): Shape {
  const fragments = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const names = new Set<string>();
  const shape = visit(
    { kind: Kind.DOCUMENT, definitions: [{ ...definition, name: undefined, variableDefinitions: [] }, ...fragments] },
    {
      Field: (field) =>
        roots.has(field)
          ? { ...field, arguments: field.arguments?.filter(({ name }) => name.value !== 'after') }
          : undefined,
      Variable: ({ name }) => {
        names.add(name.value);
      },
    },
  );
  return { text: print(shape), names: [...names].sort() };
}
