/** The messages between the primary process and its workers. */
import type { AddressInfo } from 'node:net';
import { isObject } from '../../common/is-object.js';
import type { Lease } from '../limits/rate-limit.js';
import type { PlaceAnswer } from '../limits/stream-places.js';

/** What a worker reports once it serves. */
export interface Served {
  address: AddressInfo;
  /** Whether the database was empty before. */
  isNew: boolean;
  /** The first key, if the worker has made one. */
  madeKey?: string | undefined;
}

/** `newest` is the newest id of a record that the sender knows of. Answers have the `id` of what they answer. */
export type FromWorker =
  | { kind: 'served'; served: Served }
  | { kind: 'turn wanted' }
  | { kind: 'turn over'; newest: string }
  | { kind: 'committed'; newest: string }
  | { kind: 'overwritten' }
  /** Which files of an SQLite database the worker has open. */
  | { kind: 'opened'; files: string }
  | { kind: 'lease wanted'; id: number; keyId: string; wanted: number }
  | { kind: 'place wanted'; id: number; keyId: string }
  | { kind: 'place left'; keyId: string }
  | { kind: 'places asked'; id: number; keyId: string }
  | { kind: 'report'; id: number; text: string };

export type ToWorker =
  /** `isWanted` says whether another worker already waits for it. */
  | { kind: 'turn'; isWanted: boolean; newest: string }
  | { kind: 'turn wanted' }
  | { kind: 'committed'; newest: string }
  | { kind: 'overwritten' }
  | { kind: 'lease'; id: number; lease: Lease }
  | { kind: 'place'; id: number; place: PlaceAnswer }
  | { kind: 'places'; id: number; taken: number }
  | { kind: 'report wanted'; id: number; name: string }
  | { kind: 'reload' }
  /** The whole gateway stops, or only this worker, whose place another one has taken. */
  | { kind: 'leave'; isStop: boolean };

// Both processes run the same build, so it is enough to recognise their messages by the kind.
const hasKind = (message: unknown): boolean => isObject(message) && typeof message.kind === 'string';
export const isFromWorker = (message: unknown): message is FromWorker => hasKind(message);
export const isToWorker = (message: unknown): message is ToWorker => hasKind(message);

/** Questions to another process that are not answered yet. */
export class PendingAnswers<Answer> {
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #asked = 0;

  /** `send` is given the id that the answer will have. */
  ask(send: (id: number) => void): Promise<Answer> {
    const id = ++this.#asked;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      send(id);
    });
  }

  /** Does nothing for an answer that nobody waits for. */
  answer(id: number, answer: Answer): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }

  /** Waits for no answer to these any more. */
  forget(id: number): void {
    this.#waiting.delete(id);
  }
}
