/** Requests that belong together: what is sent, and what is wrong with the answers. */
import type { Reply } from './client.js';

export interface Sending {
  /** Sends the request about the target; the same bytes each time. */
  send(): Promise<Reply>;
  /** The same about another target, with the same headers. */
  sendOther(): Promise<Reply>;
  /** What keeps the reply from being the answer to a good request; undefined where nothing does. */
  wrongWith(reply: Reply): string | undefined;
  /** The code of the refusal that the reply is, if it is one. */
  codeOf(reply: Reply): string | undefined;
}

/** Undefined where all is as it must be. */
export type Play = (sending: Sending) => Promise<string | undefined>;
