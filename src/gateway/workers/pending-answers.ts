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
