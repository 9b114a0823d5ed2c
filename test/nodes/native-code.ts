/** SQLite's native code for another version of Node, built from the headers that come with it. */
import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Builds the native code of better-sqlite3 in `project` for the version of Node in the folder `version`. The install
 * has already compiled SQLite itself, which is independent of Node and takes most of the time; the rest is compiled by
 * the command that the install has recorded.
 */
export function nativeCodeFor(version: string, project: string): void {
  const build = join(project, 'node_modules/better-sqlite3/build');
  const noted = readFileSync(
    join(build, 'Release/.deps/Release/obj.target/better_sqlite3/src/better_sqlite3.o.d'),
    'utf8',
  );
  const object = 'native-code.o';
  const headers = join(version, 'include/node');
  const compile = (noted.split('\n')[0] ?? '')
    .replace(/^.*? := /, '')
    .replace(/ -o \S+/, ` -o ${object}`)
    .replace(/ -I\S*\/include\/node /, ` -I${headers} `)
    .replace(/ -MMD -MF \S+/, ' -w');
  if (!compile.includes(headers)) throw new Error(`The install has not noted how it compiles: ${noted.slice(0, 200)}`);
  const run = (command: string) => execFileSync('sh', ['-c', command], { cwd: build });
  run(compile);
  const link = `g++ -shared -pthread -Wl,-Bsymbolic -Wl,--exclude-libs,ALL ${object} Release/sqlite3.a`;
  // The old file may be a link to that of the project, which stays as it is.
  run(`${link} -o Release/new.node`);
  rmSync(join(build, 'Release/better_sqlite3.node'));
  renameSync(join(build, 'Release/new.node'), join(build, 'Release/better_sqlite3.node'));
  rmSync(join(build, object));
}
