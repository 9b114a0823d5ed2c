import { ExplainedError } from './explained-error.js';

/** Lists every invalid setting and how to correct it. A message never contains a value that may be secret. */
export class ConfigError extends ExplainedError {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
  }
}
