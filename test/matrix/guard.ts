/** Something that must keep a request from being performed, and what it then says. */
import type { Attempt, RestAttempt } from './attempt.js';
import type { Row } from './covering.js';
import type { Deed, Target } from './deed.js';
import type { Play } from './play.js';

export interface Guard {
  name: string;
  graphql: Asked<Attempt>;
  rest: Asked<RestAttempt>;
  /** The gateway it needs, and what is done to it meanwhile. */
  house?: House;
  /** Why it is not asked of the deed; undefined where it is. */
  skips?(deed: Deed): string | undefined;
  /** The contradiction between ways that it is about. */
  lifts?: string;
  /** The state in which the target is, where it is not the one that the deed needs. */
  needs?(deed: Deed): Deed['needs'];
  /** What is sent, where it is not one request. */
  play?: Play;
  /** Refuses before any database is asked. Such guards share their rows out among them. */
  isBeforeDatabase?: true;
}

/** How a good request is spoiled and what it is then answered; or why there is no such request. */
export type Asked<Request> =
  | string
  | {
      spoil(request: Request, deed: Deed, target: Target): Request;
      /** Any of these. None where the request is to be answered as ever. */
      refusals: readonly Refusal[];
      /** Why it is not asked in the way; undefined where it is. */
      skips?(row: Row): string | undefined;
    };

export interface Refusal {
  /** `field` is 200, in the error of a field; `request` is 400, or 200 to whoever asks for plain JSON. */
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

/** Of guards that look before any operation is known. */
export const beforeOperations = outOf(['a record', 'create'], 'it looks before any operation is known');

/** Of guards that look at the document alone: reads and changes, compiled and not. */
export const beforeFields = outOf(
  ['a record', 'nodes', 'create', 'update', 'delete', 'save'],
  'it looks at the document before any field is known, and the others are documents like these',
);

/** Of what is sent in a body. */
export const inBodies = ({ transport }: Row): string | undefined =>
  transport === 'GET' || transport === 'HEAD' ? 'a GET has no body' : undefined;

/** Of what takes the place of the text. */
export const asText = ({ text }: Row): string | undefined =>
  text !== undefined && text !== 'sent' ? 'the text is what is spoiled' : undefined;

/** Of what is longer than a URL may be. */
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
