/**
 * The size of all arguments of an operation. A variable may be named many times, and a fragment be spread many times: a
 * text of 900 kB that is named a hundred times would be read, converted and bound a hundred times.
 */
import { type ASTNode, type DocumentNode, type OperationDefinitionNode, visit } from 'graphql';
import { fragmentsOf } from '../../common/fragments.js';
import { isObject } from '../../common/is-object.js';
import { errors } from '../../model/errors/errors.js';
import type { Variables } from './cost-term.js';
import { charactersOfValue, mostArgumentCharacters } from './sizes.js';

/** Refuses variables with which the arguments are too large. @throws QUERY_TOO_COMPLEX */
export type CheckArguments = (variables: Variables) => void;

/** How often a part of a document names each variable and spreads each fragment, and the size of its own values. */
interface Uses {
  characters: number;
  variables: Map<string, number>;
  spreads: Map<string, number>;
}

export function argumentsCheck(document: DocumentNode, operation: OperationDefinitionNode): CheckArguments {
  const { characters, variables: uses } = usesIn(document, operation);
  // The value of a variable that is named once is no larger than the request.
  const repeated = [...uses].filter(([, count]) => count > 1);
  return (variables) => {
    let size = characters;
    for (const [name, count] of repeated) {
      const value = variables[name];
      // A number or a boolean takes no time, however often it is named.
      if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) continue;
      size += count * sizeOf(value, (mostArgumentCharacters - size) / count);
      if (size > mostArgumentCharacters) break;
    }
    if (size > mostArgumentCharacters) throw errors.queryTooComplex('characters', mostArgumentCharacters);
  };
}

/** The uses of an operation and of its fragments, each fragment counted as often as it is spread. */
function usesIn(document: DocumentNode, operation: OperationDefinitionNode): Uses {
  const fragments = fragmentsOf(document);
  const known = new Map<string, Uses>();
  const ofFragment = (name: string): Uses => {
    const found = known.get(name);
    if (found) return found;
    // A fragment that spreads itself is refused by validation.
    known.set(name, noUses());
    const fragment = fragments.get(name);
    const uses = fragment ? whole(fragment) : noUses();
    known.set(name, uses);
    return uses;
  };
  const whole = (node: ASTNode): Uses => {
    const uses = ownUses(node);
    for (const [name, count] of uses.spreads) {
      const inner = ofFragment(name);
      uses.characters += count * inner.characters;
      for (const [variable, times] of inner.variables) increase(uses.variables, variable, count * times);
    }
    return uses;
  };
  return whole(operation);
}

function ownUses(node: ASTNode): Uses {
  const uses = noUses();
  visit(node, {
    VariableDefinition: () => false,
    Variable: ({ name }) => increase(uses.variables, name.value, 1),
    FragmentSpread: ({ name }) => increase(uses.spreads, name.value, 1),
    StringValue: ({ value }) => {
      uses.characters += charactersOfValue + value.length;
    },
  });
  return uses;
}

const noUses = (): Uses => ({ characters: 0, variables: new Map(), spreads: new Map() });

const increase = (counts: Map<string, number>, name: string, by: number): void => {
  counts.set(name, (counts.get(name) ?? 0) + by);
};

/** The size of a value; above `most` it stops counting. */
function sizeOf(value: unknown, most: number): number {
  let size = charactersOfValue;
  if (typeof value === 'string') size += value.length;
  else if (Array.isArray(value)) {
    for (const item of value) {
      if (size > most) break;
      size += sizeOf(item, most - size);
    }
  } else if (isObject(value)) {
    for (const name in value) {
      if (size > most) break;
      size += sizeOf(value[name], most - size);
    }
  }
  return size;
}
