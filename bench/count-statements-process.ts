/** Loaded into a server before its own code (`node --import`): tells its parent, when asked, what it asked SQLite. */
import { countStatements } from './count-statements.js';

const counts = countStatements();
process.on('message', () => process.send?.(counts));
process.channel?.unref();
