import { ExplainedError } from '../../common/explained-error.js';

/** A backup cannot be made or restored. The message says why, and what to do. */
export class BackupError extends ExplainedError {}
