/**
 * Loaded before the gateway with `--import`: in the call of a function of node:fs that changes files of the folder FAULT_IN which
 * has the number FAULT_AT, counted from 1, the process is killed, or the system refuses the call and it is said on standard error. With the
 * module `node:fs` itself changed, the code of the gateway runs as it is.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { FAULT, FAULT_AT, FAULT_IN = '' } = process.env;
let calls = 0;

for (const name of ['linkSync', 'writeFileSync', 'renameSync', 'rmSync', 'copyFileSync', 'chmodSync', 'fsyncSync']) {
  const original = fs[name];
  fs[name] = (...parameters) => {
    const concerns = name === 'fsyncSync' || parameters.some((each) => String(each).startsWith(FAULT_IN));
    if (concerns && ++calls === Number(FAULT_AT)) {
      if (FAULT === 'killed') process.kill(process.pid, 'SIGKILL');
      process.stderr.write('[refused]');
      throw Object.assign(new Error(`EIO: i/o error, ${name}`), { code: 'EIO', syscall: name });
    }
    return original(...parameters);
  };
}
syncBuiltinESMExports();
