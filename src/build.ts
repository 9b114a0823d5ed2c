/** What `npm run build` does: makes in `dist` what `npm start` runs. Whether types fit, `npm run check` says. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './database/migration-history.js';
import { bundle, programs } from './start/bundle.js';

const folder = join(projectFolder, 'dist');
rmSync(folder, { recursive: true, force: true });
await bundle(programs, folder);
