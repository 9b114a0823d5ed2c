/** Preloaded into a server (`node --import`): reports its SQLite statement counts to the parent process on request. */
import { countStatements } from './count-statements.js';

const counts = countStatements();
process.on('message', () => process.send?.(counts));
process.channel?.unref();
