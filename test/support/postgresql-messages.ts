/** Splits one direction of a connection to PostgreSQL into messages. */
export class Messages {
  #rest: Buffer = Buffer.alloc(0);
  #isFirst: boolean;

  /** `onMessage` gets the type of each message and the whole message. The first message of a client has no type. */
  constructor(
    { first }: { first: boolean },
    private readonly onMessage: (type: string, message: Buffer) => void,
  ) {
    this.#isFirst = first;
  }

  take(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const before = this.#isFirst ? 0 : 1;
      if (this.#rest.length < before + 4) return;
      const length = before + this.#rest.readInt32BE(before);
      if (this.#rest.length < length) return;
      const message = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
      this.#isFirst = false;
      this.onMessage(before === 0 ? '' : message.toString('latin1', 0, 1), message);
    }
  }
}
