/** Requests that belong together: it sends them and returns what is wrong with the answers. */
import type { Reply } from './client.js';

export interface Sending {
  /** Sends the request about the target; the same bytes each time. */
  send(): Promise<Reply>;
  /** The same about another target, with the same headers. */
  sendOther(): Promise<Reply>;
  /** The difference of the reply from the answer to a good request; undefined if there is none. */
  wrongWith(reply: Reply): string | undefined;
  /** The code of the reply, if it is a refusal. */
  codeOf(reply: Reply): string | undefined;
}

/** Undefined if everything is right. */
export type Play = (sending: Sending) => Promise<string | undefined>;
