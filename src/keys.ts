/**
 * `npm run keys`: manages API keys on the database of DATABASE_URL, also while gateways use it. On an error it exits
 * with 1 and prints what to do.
 */
import { createKey, listKeys, revokeKey, rotateKey } from './access/api-keys.js';
import { type KeyAdministration, keysCommand } from './keys/keys-command.js';
import { runCommand, withDatabase } from './keys/run-command.js';

const office: KeyAdministration = {
  create: (input) => withDatabase(process.env, (database) => createKey(database, input)),
  list: (options) => withDatabase(process.env, (database) => listKeys(database, options)),
  rotate: (id, rotation) => withDatabase(process.env, (database) => rotateKey(database, id, rotation)),
  revoke: (id) => withDatabase(process.env, (database) => revokeKey(database, id)),
};

await runCommand(keysCommand(office, (text) => process.stdout.write(text)));
