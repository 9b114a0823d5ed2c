/**
 * Admission turns a request into an operation that may be executed. It checks everything that can be checked before any
 * data is read, in this order: the form of the parameters, the document, which operation is meant, whether the HTTP
 * method may execute it, its shape and cost, its validity, its variables. Executors take an `Operation`, and only
 * admission can make one, so no check can be left out.
 *
 * Whether the key may read or write a field is checked where the field is resolved or compiled, because refusing one
 * field does not refuse the other fields of the operation.
 */
import { createHash } from 'node:crypto';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { errors } from '../errors.js';
import { type CostReport, createCostCheck } from '../limits/operation-cost.js';
import { noteOperation, type Observation } from '../observation.js';
import { createVariableCheck } from '../schema/guards/variable-problems.js';
import { nameAndKindOf, refuseKind, refuseVariableNames, selectDefinition } from './definition.js';
import { DocumentCache, parseDocument, requireValid } from './documents.js';
import { type Parameters, parametersIn } from './parameters.js';
import type { StoredDocument } from './stored-document.js';
import type { TrustedDocuments } from './trusted-documents.js';

export type Variables = Readonly<Record<string, unknown>>;

/** An operation that has passed every check of admission. */
class AdmittedOperation {
  /** A private field makes the class nominal: no other object has this type. */
  readonly #definition: OperationDefinitionNode;

  constructor(
    /**
     * A valid document. Equal texts share one object while it is cached, so that compiled forms can be stored by it.
     */
    readonly document: DocumentNode,
    definition: OperationDefinitionNode,
    /** As sent in the request: checked against their types, without default values. */
    readonly variables: Variables,
    readonly cost: CostReport,
  ) {
    this.#definition = definition;
  }

  get definition(): OperationDefinitionNode {
    return this.#definition;
  }

  get kind(): 'query' | 'mutation' {
    return nameAndKindOf(this.#definition).kind;
  }

  get name(): string | undefined {
    return nameAndKindOf(this.#definition).name;
  }
}

export type Operation = AdmittedOperation;

export interface Admission {
  /**
   * Admits a request to `/graphql`. `given` is the parsed JSON or query string; `mayWrite` says whether the HTTP method
   * may change data; `observation` receives the operation's name and kind even if it is refused.
   *
   * @throws DocumentRefused, BAD_REQUEST, BAD_USER_INPUT, QUERY_TOO_COMPLEX, PERSISTED_QUERY_NOT_FOUND,
   * OPERATION_RESOLUTION_FAILURE, FORBIDDEN
   */
  fromRequest(given: unknown, mayWrite: boolean, observation?: Observation): Operation;
  /** Admits the only operation of one of the gateway's own documents. @throws BAD_USER_INPUT, QUERY_TOO_COMPLEX */
  fromStored(stored: StoredDocument, variables: Variables): Operation;
}

export interface AdmissionRules {
  /** The highest cost of an operation; see docs/cost.md. */
  costLimit: number;
  /** If set, only these documents are admitted from requests. */
  trustedDocuments?: TrustedDocuments | undefined;
}

export function createAdmission(schema: GraphQLSchema, { costLimit, trustedDocuments }: AdmissionRules): Admission {
  const weigh = createCostCheck(schema, costLimit);
  const variableProblems = createVariableCheck(schema);
  const kept = new DocumentCache();

  const requireVariables = (definition: OperationDefinitionNode, variables: Variables) => {
    const problems = variableProblems(definition, variables);
    if (problems.length > 0) throw errors.badInput(problems);
  };

  return {
    fromRequest(given, mayWrite, observation) {
      const parameters = parametersIn(given);
      const text = trustedDocuments ? trustedText(trustedDocuments, parameters) : persistedText(kept, parameters);
      const { operationName, variables } = parameters;
      const known = kept.get(text);
      const document = known ?? parseDocument(text);
      const definition = selectDefinition(document, operationName);
      noteOperation(observation, nameAndKindOf(definition));
      refuseKind(definition, mayWrite);
      refuseVariableNames(definition);
      const cost = weigh(document, definition, variables);
      if (!known) requireValid(schema, document, cost);
      requireVariables(definition, variables);
      kept.keep(text, document, trustedDocuments ? undefined : parameters.hash);
      return new AdmittedOperation(document, definition, variables, cost);
    },

    fromStored({ document }, variables) {
      const definition = selectDefinition(document, undefined);
      const cost = weigh(document, definition, variables);
      requireVariables(definition, variables);
      return new AdmittedOperation(document, definition, variables, cost);
    },
  };
}

/** The text in the request, or the one admitted earlier under the request's hash (automatic persisted queries). */
function persistedText(kept: DocumentCache, { query, hash }: Parameters): string {
  if (query !== undefined) {
    if (hash !== undefined && sha256(query) !== hash) throw errors.badRequest('persisted_query_hash_mismatch');
    return query;
  }
  const text = hash === undefined ? undefined : kept.textOf(hash);
  if (text === undefined) throw errors.persistedQueryNotFound();
  return text;
}

/** The text of a trusted document, found by its hash, its name in the list, or its text. */
function trustedText(trusted: TrustedDocuments, { query, hash }: Parameters): string {
  const text = trusted.get(hash ?? sha256(query ?? ''));
  if (text === undefined) throw errors.untrustedDocument();
  if (query !== undefined && query !== text) throw errors.badRequest('persisted_query_hash_mismatch');
  return text;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
