/** `npm run sdl` accepts additions to the schema. `npm run sdl -- --breaking` accepts every change. */
import { schema } from './schema.js';
import { acceptedSdl, committedSdl, sdlOf, writeSdl } from './sdl.js';

try {
  writeSdl(acceptedSdl(committedSdl(), sdlOf(schema), { breaking: process.argv.includes('--breaking') }));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
