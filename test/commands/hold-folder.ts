/** A process that works on a file until it is killed. */
import { holdFolder } from '../../src/database/held-folder.js';

const [path = ''] = process.argv.slice(2);
process.send?.(holdFolder(path, 'partial').folder);
setInterval(() => undefined, 1_000);
