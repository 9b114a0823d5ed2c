/** A check that must refuse a request, and its refusal. */
import type { Attempt, RestAttempt } from './attempt.js';
import type { Row } from './covering.js';
import type { Deed, Target } from './deed.js';
import type { Play } from './play.js';

export interface Guard {
  name: string;
  graphql: Asked<Attempt>;
  rest: Asked<RestAttempt>;
  /** The gateway that it needs, and what is done to it during the requests. */
  house?: House;
  /** Why it is not tested with the deed; undefined if it is. */
  skips?(deed: Deed): string | undefined;
  /** The contradiction between ways that it tests. */
  lifts?: string;
  /** The state of the target, if it is not the one that the deed needs. */
  needs?(deed: Deed): Deed['needs'];
  /** The requests, if there are several. */
  play?: Play;
  /** Whether it refuses before the database is used. Such guards divide the rows among them. */
  isBeforeDatabase?: true;
}

/** How a good request is made wrong, with the expected answer; or why there is no such request. */
export type Asked<Request> =
  | string
  | {
      spoil(request: Request, deed: Deed, target: Target): Request;
      /** One of these refusals is expected; if there are none, the usual answer. */
      refusals: readonly Refusal[];
      /** Why it is not tested in the way; undefined if it is. */
      skips?(row: Row): string | undefined;
    };

export interface Refusal {
  /** `field` is 200 with the error of a field; `request` is 400, or 200 for a client that accepts plain JSON. */
  status: number | 'field' | 'request';
  code: string;
}

/** A gateway in a state of its own. */
export type House = 'as ever' | 'spent key' | 'crowded' | 'locked' | 'small answers';

export const refusal = (status: Refusal['status'], code: string): Refusal => ({ status, code });
export const unspoiled = <Request>(request: Request): Request => request;

const outOf =
  (names: readonly string[], because: string) =>
  ({ name }: Pick<Deed, 'name'>): string | undefined =>
    names.includes(name) ? undefined : because;

/** For guards that check before any operation is known. */
export const beforeOperations = outOf(['a record', 'create'], 'it looks before any operation is known');

/** For guards that check only the document: reads and changes, compiled and not. */
export const beforeFields = outOf(
  ['a record', 'nodes', 'create', 'update', 'delete', 'save'],
  'it looks at the document before any field is known, and the others are documents like these',
);

/** For requests with a body. */
export const inBodies = ({ transport }: Row): string | undefined =>
  transport === 'GET' || transport === 'HEAD' ? 'a GET has no body' : undefined;

/** For requests without the text. */
export const asText = ({ text }: Row): string | undefined =>
  text !== undefined && text !== 'sent' ? 'the text is what is spoiled' : undefined;

/** For requests that are too long for a URL. */
export const inLongTexts = ({ transport }: Row): string | undefined =>
  transport === 'GET' || transport === 'HEAD' ? 'a URL of this length is refused as such' : undefined;

/** The first that objects. */
export const either =
  (...skips: ((row: Row) => string | undefined)[]) =>
  (row: Row): string | undefined => {
    for (const skip of skips) {
      const because = skip(row);
      if (because) return because;
    }
    return undefined;
  };
