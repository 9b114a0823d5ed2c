/** The first worker could not be started. It has said why, and ended with `code`. */
export class FirstWorkerEnded extends Error {
  constructor(readonly code: number) {
    super('The first worker could not be started');
  }
}
