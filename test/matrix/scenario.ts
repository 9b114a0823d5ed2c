/** Several requests that test a guard together, where one request cannot. */
import type { Reply } from './client.js';

export interface ScenarioRequests {
  /** Sends the request about the target; the same bytes each time. */
  send(): Promise<Reply>;
  /** Sends the same request about another target, with the same headers. */
  sendOther(): Promise<Reply>;
  /** How the reply differs from the answer to a valid request; undefined if it does not. */
  problemOf(reply: Reply): string | undefined;
  /** The code of the error, if the reply is one. */
  codeOf(reply: Reply): string | undefined;
}

/** Sends the requests and resolves with what is wrong with the replies; undefined if nothing is. */
export type Scenario = (requests: ScenarioRequests) => Promise<string | undefined>;
