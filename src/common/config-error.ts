/** An error whose message says to whoever reads it what is wrong, and what to do: it is shown as it is. */
export class ExplainedError extends Error {}

/** Lists every invalid setting and how to correct it. A message never contains a value that may be secret. */
export class ConfigError extends ExplainedError {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
  }
}

/** A process that this one started has already printed what is wrong, and ended with this code. */
export class AlreadyReported extends Error {
  constructor(readonly code: number) {
    super('Another process has said what is wrong');
  }
}
