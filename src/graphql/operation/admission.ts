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
import { type DocumentNode, type GraphQLSchema, type OperationDefinitionNode, OperationTypeNode } from 'graphql';
import type { Observation, OperationKind } from '../../change/observation.js';
import { type Current, oncePer } from '../../common/kept.js';
import { errors } from '../../model/errors/errors.js';
import type { Problem } from '../../model/errors/problem.js';
import { NamedValues, type SelectedOperation, type SelectionTree, type Variables } from '../../model/selection.js';
import { variablesWithUserErrors } from '../guards/answer-user-errors.js';
import { createVariableCheck } from '../guards/variable-problems.js';
import { type CostReport, createCostCheck, type Weight } from '../limits/operation-cost.js';
import {
  type Allowed,
  DocumentCache,
  declaredAmong,
  type Parameters,
  parametersIn,
  parseDocument,
  refuseKind,
  refuseVariableNames,
  requireValid,
  type StoredDocument,
  selectDefinition,
} from './documents.js';
import { idVariable, parentVariable, recordReadings } from './record-reading.js';
import { SelectionTrees } from './selection.js';
import { refuseConditions, type StreamRoot, streamRoot } from './stream-root.js';
import type { TrustedDocuments } from './trusted-documents.js';

/** An operation that has passed every check of admission. */
class AdmittedOperation implements SelectedOperation, Weight {
  constructor(
    /**
     * A valid document. Equal texts share one object while it is cached, so that compiled forms can be stored by it.
     */
    readonly document: DocumentNode,
    readonly definition: OperationDefinitionNode,
    /** Those declared, as sent in the request, by which it is recognised when it is repeated. */
    readonly sent: Variables,
    /** The same, checked against their types, without default values. */
    readonly variables: Variables,
    /** The same, coerced, with default values. */
    readonly coerced: Variables,
    readonly cost: CostReport,
    readonly hasLists: boolean,
    /**
     * The problems of the variables, if every field selects `userErrors`: each field answers with them, and does
     * nothing else. Then `variables` has other values where GraphQL would not accept what was sent.
     */
    readonly problems: readonly Problem[],
    /** A private field makes the class nominal: no other object has this type. */
    private readonly trees: SelectionTrees,
  ) {}

  get kind(): 'query' | 'mutation' {
    return this.definition.operation === OperationTypeNode.MUTATION ? 'mutation' : 'query';
  }

  get name(): string | undefined {
    return this.definition.name?.value;
  }

  get tree(): SelectionTree | undefined {
    return this.trees.plain ?? this.trees.of(this.coerced);
  }
}

export type Operation = AdmittedOperation;

/**
 * A subscription that has passed every check of admission. It is no `Operation`: executors of queries and mutations do
 * not take it, and streams take nothing else.
 */
class AdmittedSubscription {
  readonly kind = 'subscription';

  constructor(
    readonly document: DocumentNode,
    readonly definition: OperationDefinitionNode,
    readonly root: StreamRoot,
    /** As sent in the request. */
    readonly variables: Variables,
    /** The cost of one event. */
    readonly cost: CostReport,
    /** Makes the query of one record; a private field also makes the class nominal. */
    private readonly reading: (id: string, parentId: string) => Operation,
  ) {}

  get name(): string | undefined {
    return this.definition.name?.value;
  }

  /**
   * Reads what is selected of the record. With `where` each `record` is a list, which is empty if it does not match.
   */
  readingOf(id: string, parentId: string): Operation {
    return this.reading(id, parentId);
  }
}

export type Subscription = AdmittedSubscription;

/** What identifies the operation of a request. */
export type Asked = Pick<Operation, 'document' | 'name' | 'sent'> & { kind: OperationKind };

export interface Admission {
  /**
   * Admits a request to `/graphql`. `given` is the parsed JSON or query string; `mayWrite` says whether the HTTP method
   * may change data; `observation` receives the operation's name and kind even if it is refused.
   *
   * @throws DocumentRefused, BAD_REQUEST, BAD_USER_INPUT, QUERY_TOO_COMPLEX, PERSISTED_QUERY_NOT_FOUND,
   * OPERATION_RESOLUTION_FAILURE, FORBIDDEN
   */
  fromRequest(given: unknown, mayWrite: boolean, observation?: Observation): Operation;
  /** The same for a client that accepts a stream of events, which may also send a subscription. */
  fromStreamRequest(given: unknown, mayWrite: boolean, observation?: Observation): Operation | Subscription;
  /** What a request asked for that was refused with this error, if its document could be read. */
  askedBy(refusal: unknown): Asked | undefined;
  /** Admits the only operation of one of the gateway's own documents. @throws BAD_USER_INPUT, QUERY_TOO_COMPLEX */
  fromStored(stored: StoredDocument, variables: Variables): Operation;
  /** The same for a document that holds a subscription. */
  subscriptionFromStored(stored: StoredDocument, variables: Variables): Subscription;
}

export interface AdmissionRules {
  /** The highest cost of an operation; see docs/cost.md. */
  costLimit: number;
  /** If it holds any, only these documents are admitted from requests. */
  trustedDocuments?: Current<TrustedDocuments | undefined>;
}

export function createAdmission(schema: GraphQLSchema, { costLimit, trustedDocuments }: AdmissionRules): Admission {
  const weigh = createCostCheck(schema, costLimit);
  const check = createVariableCheck(schema);
  const trees = oncePer(
    (definition: OperationDefinitionNode, document: DocumentNode) => new SelectionTrees(schema, document, definition),
  );
  const kept = new DocumentCache();

  /** The variables, and those of their problems that the answer reports. @throws BAD_USER_INPUT for others */
  const checked = (document: DocumentNode, definition: OperationDefinitionNode, given: Variables) => {
    const { problems, coerced } = check(document, definition, given);
    if (problems.length === 0) return { variables: given, coerced, problems };
    const variables = variablesWithUserErrors(schema, document, definition, given, problems);
    if (variables) return { variables, coerced, problems };
    throw errors.badInput(problems);
  };

  const asked = (given: unknown) => {
    const parameters = parametersIn(given);
    const trusted = trustedDocuments?.value;
    const text = trusted ? trustedText(trusted, parameters) : persistedText(kept, parameters);
    const known = kept.get(text);
    const document = known ?? parseDocument(text);
    const definition = selectDefinition(document, parameters.operationName);
    return { parameters, trusted, text, known, document, definition };
  };

  const refused = new WeakMap<object, ReturnType<typeof asked>>();
  /** @throws as `fromRequest` */
  const admit = (given: unknown, may: Allowed, observation: Observation | undefined): Admitted => {
    const of = asked(given);
    try {
      return checkedWhole(of, may, observation);
    } catch (error) {
      if (error instanceof Error) refused.set(error, of);
      throw error;
    }
  };
  const checkedWhole = (
    { parameters, trusted, text, known, document, definition }: ReturnType<typeof asked>,
    may: Allowed,
    observation: Observation | undefined,
  ): Admitted => {
    if (observation) {
      observation.operation = definition.name?.value.slice(0, longestName);
      observation.kind = definition.operation;
    }
    refuseKind(definition, may);
    refuseVariableNames(definition);
    const variables = declaredAmong(parameters.variables, definition);
    const weight = weigh(document, definition, variables);
    if (definition.operation === OperationTypeNode.SUBSCRIPTION) refuseConditions(document, definition);
    if (!known) requireValid(schema, document, weight.cost);
    const right = checked(document, definition, variables);
    kept.keep(text, document, trusted ? undefined : parameters.hash);
    return { document, definition, sent: variables, ...weight, ...right };
  };
  const stored = ({ document, definition }: StoredDocument, variables: Variables): Admitted => {
    const weight = weigh(document, definition, variables);
    return { document, definition, sent: variables, ...weight, ...checked(document, definition, variables) };
  };
  const operation = ({ document, definition, sent, variables, coerced, cost, hasLists, problems }: Admitted) => {
    if (definition.operation === OperationTypeNode.SUBSCRIPTION)
      throw new Error('A subscription is not executed as an operation');
    return new AdmittedOperation(
      document,
      definition,
      sent,
      variables,
      coerced,
      cost,
      hasLists,
      problems,
      trees(definition, document),
    );
  };

  const readingOf = recordReadings();
  /** @throws BAD_USER_INPUT, OPERATION_RESOLUTION_FAILURE */
  const subscription = ({ document, definition, variables, coerced, cost, hasLists }: Admitted) => {
    const root = streamRoot(schema, document, definition, coerced);
    const reading = readingOf(document, definition, root);
    return new AdmittedSubscription(document, definition, root, variables, cost, (id, parentId) => {
      const added = { [idVariable]: id, [parentVariable]: parentId };
      return operation({
        ...reading,
        sent: variables,
        variables: Object.assign(new NamedValues(), variables, added),
        coerced: Object.assign(new NamedValues(), coerced, added),
        cost,
        hasLists,
        problems: [],
      });
    });
  };

  return {
    fromRequest: (given, mayWrite, observation) =>
      operation(admit(given, { write: mayWrite, stream: false }, observation)),
    fromStreamRequest(given, mayWrite, observation) {
      const admitted = admit(given, { write: mayWrite, stream: true }, observation);
      const isStream = admitted.definition.operation === OperationTypeNode.SUBSCRIPTION;
      return isStream ? subscription(admitted) : operation(admitted);
    },
    askedBy(refusal) {
      const of = refusal instanceof Error ? refused.get(refusal) : undefined;
      if (!of) return undefined;
      const { parameters, document, definition } = of;
      const sent = declaredAmong(parameters.variables, definition);
      return { document, name: definition.name?.value, kind: definition.operation, sent };
    },
    fromStored: (document, variables) => operation(stored(document, variables)),
    subscriptionFromStored: (document, variables) => subscription(stored(document, variables)),
  };
}

/** What has passed the checks, before it becomes an operation or a subscription. */
interface Admitted extends Weight {
  document: DocumentNode;
  definition: OperationDefinitionNode;
  sent: Variables;
  variables: Variables;
  coerced: Variables;
  problems: readonly Problem[];
}

// Finds the text of a document by what a request sends: the text itself, its hash, or both.

/** The text in the request, or the one admitted earlier under the request's hash (automatic persisted queries). */
function persistedText(kept: DocumentCache, { query, hash }: Parameters): string {
  if (query !== undefined) {
    if (hash !== undefined && sha256(query) !== hash) throw errors.badRequest('persisted_query_hash_mismatch');
    return query;
  }
  const text = hash === undefined ? undefined : kept.textOf(hash);
  if (text === undefined) throw errors.badRequest('persisted_query_not_found');
  return text;
}

/** The text of a trusted document, found by its hash, its name in the list, or its text. */
function trustedText(trusted: TrustedDocuments, { query, hash }: Parameters): string {
  const text = trusted.get(hash ?? sha256(query ?? ''));
  if (text === undefined) throw errors.badRequest('untrusted_document');
  if (query !== undefined && query !== text) throw errors.badRequest('persisted_query_hash_mismatch');
  return text;
}

/** The most characters of an operation's name in the log. */
const longestName = 100;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
