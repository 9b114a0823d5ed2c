/**
 * Admission: the one way in which a request becomes an operation that may be performed. Every guard that can be asked
 * before anything is read stands here, in this order: the form of the parameters, the document, which of its operations
 * is meant, whether the method may perform it, its shape and cost, its validity, its variables. What is executed takes an
 * `Operation`, and nothing but admission can make one, so none of these guards can be left out.
 *
 * Whether the key may read or write a field is asked where the field is resolved or compiled, because a field that is
 * refused leaves the others of its operation standing.
 */
import { createHash } from 'node:crypto';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { errors } from '../errors.js';
import { type CostReport, createScales } from '../limits/complexity.js';
import { noteOperation, type Observation } from '../observation.js';
import { variableProblems } from '../schema/variable-problems.js';
import { definitionIn, identified, refuseKind, refuseVariableNames } from './definition.js';
import { KeptDocuments, parseDocument, requireValid } from './documents.js';
import { type Parameters, parametersIn } from './parameters.js';
import type { StoredDocument } from './stored-document.js';
import type { TrustedDocuments } from './trusted-documents.js';

export type Variables = Readonly<Record<string, unknown>>;

/** An operation that has passed every guard of admission. */
class AdmittedOperation {
  /** The private field makes the type nominal: no other object is one. */
  readonly #definition: OperationDefinitionNode;

  constructor(
    /** Valid, and the same object for the same text as long as it is kept: what is compiled is remembered by it. */
    readonly document: DocumentNode,
    definition: OperationDefinitionNode,
    /** As the request gave them: checked against their types, defaults not yet filled in. */
    readonly variables: Variables,
    readonly cost: CostReport,
  ) {
    this.#definition = definition;
  }

  get definition(): OperationDefinitionNode {
    return this.#definition;
  }

  get kind(): 'query' | 'mutation' {
    return identified(this.#definition).kind;
  }

  get name(): string | undefined {
    return identified(this.#definition).name;
  }
}

export type Operation = AdmittedOperation;

export interface Admission {
  /**
   * The operation that a request to `/graphql` asks for, `given` as parsed from JSON or from the query string. `mayWrite`
   * says whether its method may change anything; `observation` hears of the operation, also where it is refused.
   * @throws DocumentRefused, BAD_REQUEST, BAD_USER_INPUT, QUERY_TOO_COMPLEX, PERSISTED_QUERY_NOT_FOUND,
   * OPERATION_RESOLUTION_FAILURE, FORBIDDEN
   */
  fromRequest(given: unknown, mayWrite: boolean, observation?: Observation): Operation;
  /** The only operation of a document of the gateway's own. @throws BAD_USER_INPUT, QUERY_TOO_COMPLEX */
  fromStored(stored: StoredDocument, variables: Variables): Operation;
}

export interface AdmissionRules {
  /** The most an operation may cost; see docs/limits.md. */
  costLimit: number;
  /** The only documents that requests may ask for; without, any. */
  trustedDocuments?: TrustedDocuments | undefined;
}

export function createAdmission(schema: GraphQLSchema, { costLimit, trustedDocuments }: AdmissionRules): Admission {
  const weigh = createScales(schema, costLimit);
  const kept = new KeptDocuments();

  const requireVariables = (definition: OperationDefinitionNode, variables: Variables) => {
    const problems = variableProblems(schema, definition, variables);
    if (problems.length > 0) throw errors.badInput(problems);
  };

  return {
    fromRequest(given, mayWrite, observation) {
      const parameters = parametersIn(given);
      const text = trustedDocuments ? trustedText(trustedDocuments, parameters) : persistedText(kept, parameters);
      const { operationName, variables } = parameters;
      const known = kept.get(text);
      const document = known ?? parseDocument(text);
      const definition = definitionIn(document, operationName);
      noteOperation(observation, identified(definition));
      refuseKind(definition, mayWrite);
      refuseVariableNames(definition);
      const cost = weigh(document, definition, variables);
      if (!known) requireValid(schema, document, cost);
      requireVariables(definition, variables);
      kept.keep(text, document, trustedDocuments ? undefined : parameters.hash);
      return new AdmittedOperation(document, definition, variables, cost);
    },

    fromStored({ document }, variables) {
      const definition = definitionIn(document, undefined);
      const cost = weigh(document, definition, variables);
      requireVariables(definition, variables);
      return new AdmittedOperation(document, definition, variables, cost);
    },
  };
}

/** The text of a request, or the one that was admitted under its hash (automatic persisted queries). */
function persistedText(kept: KeptDocuments, { query, hash }: Parameters): string {
  if (query !== undefined) {
    if (hash !== undefined && sha256(query) !== hash) throw errors.badRequest('persisted_query_hash_mismatch');
    return query;
  }
  const text = hash === undefined ? undefined : kept.textOf(hash);
  if (text === undefined) throw errors.persistedQueryNotFound();
  return text;
}

/** The text of a trusted document, named by its hash, its name in the list or its text. */
function trustedText(trusted: TrustedDocuments, { query, hash }: Parameters): string {
  const text = trusted.get(hash ?? sha256(query ?? ''));
  if (text === undefined) throw errors.untrustedDocument();
  if (query !== undefined && query !== text) throw errors.badRequest('persisted_query_hash_mismatch');
  return text;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
