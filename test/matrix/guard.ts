/** A guard: a check that refuses invalid requests, and how the matrix tests it. */
import type { GraphqlCall, PreparedRestCall } from './calls.js';
import type { Row } from './covering-array.js';
import type { Scenario } from './scenario.js';
import type { Target, TestOperation } from './test-operation.js';

export interface Guard {
  name: string;
  graphql: GuardTest<GraphqlCall>;
  rest: GuardTest<PreparedRestCall>;
  /** The state in which the gateway must be; `normal` by default. */
  state?: GatewayState;
  /** Why it is not tested with the operation; undefined if it is. */
  skips?(operation: TestOperation): string | undefined;
  /** The reason, of those that exclude combinations of values, that this guard itself tests. */
  liftedReason?: string;
  /** The state of the target, if it is not the one that the operation needs. */
  needs?(operation: TestOperation): TestOperation['needs'];
  /** The requests, if several test it together. */
  scenario?: Scenario;
  /** Whether it refuses before the database is used. Each of these guards is tested in fewer rows. */
  isBeforeDatabase?: true;
}

/** How the guard is tested on a surface; or why it cannot be tested there. */
export type GuardTest<Request> =
  | string
  | {
      /** Makes a valid request one that the guard must refuse. */
      makeInvalid(request: Request, operation: TestOperation, target: Target): Request;
      /** One of these refusals is expected; if there are none, the answer to a valid request. */
      refusals: readonly Refusal[];
      /** Why it is not tested in the row; undefined if it is. */
      skips?(row: Row): string | undefined;
    };

export interface Refusal {
  /** `field` is 200 with the error of a field; `request` is 400, or 200 for a client that accepts plain JSON. */
  status: number | 'field' | 'request';
  code: string;
}

/** The states in which a gateway is tested, by its settings or by what is done to it during the requests. */
export type GatewayState =
  | 'normal'
  | 'rate limit reached'
  | 'all places taken'
  | 'tables locked'
  | 'small answer limit';

export const refusal = (status: Refusal['status'], code: string): Refusal => ({ status, code });
export const unchanged = <Request>(request: Request): Request => request;

const onlyFor =
  (names: readonly string[], because: string) =>
  ({ name }: Pick<TestOperation, 'name'>): string | undefined =>
    names.includes(name) ? undefined : because;

/** For guards that check before any operation is known: one read and one change are enough. */
export const beforeOperations = onlyFor(['a record', 'create'], 'it checks before any operation is known');

/** For guards that check only the document: of the operations that are alike, all but one are skipped. */
export const beforeFields = onlyFor(
  ['a record', 'nodes', 'create', 'update', 'delete', 'save'],
  'it checks the document before any field is known, and the documents of other operations are like these',
);

/** Skips requests without a body. */
export const inBodies = ({ transport }: Row): string | undefined =>
  transport === 'GET' || transport === 'HEAD' ? 'a GET has no body' : undefined;

/** Skips requests that do not send the text of the document by itself. */
export const asText = ({ text }: Row): string | undefined =>
  text !== undefined && text !== 'sent' ? 'the text of the document is what is invalid' : undefined;

/** For guards whose requests are too long for a URL: skips those that are sent in one. */
export const inLongTexts = ({ transport }: Row): string | undefined =>
  transport === 'GET' || transport === 'HEAD' ? 'a URL of this length is refused for its length' : undefined;

/** Skips a row for the first reason that one of the functions gives. */
export const firstReason =
  (...skips: ((row: Row) => string | undefined)[]) =>
  (row: Row): string | undefined => {
    for (const skip of skips) {
      const because = skip(row);
      if (because) return because;
    }
    return undefined;
  };
