/** Runs commands as a build does: nothing is taken over from the npm script or the shell by which it was called. */
import { spawn } from 'node:child_process';

export const isRoot = process.getuid?.() === 0;

/** How much of what a command has printed is shown where it fails. */
const shown = 4_000;

/** The way to npm's registry is that of the machine, as its user has configured it. */
const ofOthers =
  /^(npm_(package|lifecycle|command|execpath|node_execpath|config_local_prefix)|INIT_CWD|NODE_(ENV|OPTIONS))/i;
export const machine: Record<string, string | undefined> = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofOthers.test(name))),
  // Where SQLite's native code is compiled. What is left out takes ten times as long, and changes nothing of what is shown here.
  CFLAGS: '-O0',
  CXXFLAGS: '-O0',
};

/** Resolves with what the command has printed; rejects with the end of that, and `called`, where it does not end with 0. */
export async function runIn(
  cwd: string,
  [program = '', ...words]: readonly string[],
  environment: Record<string, string>,
  called: string,
): Promise<string> {
  const { code, printed } = await endOf(cwd, [program, ...words], { ...machine, ...environment });
  if (code === 0) return printed;
  throw new Error(`\`${called}\` ended with ${code}:\n${printed.slice(-shown)}`);
}

/** Resolves with the exit code and all that was printed. */
export function endOf(
  cwd: string,
  [program = '', ...words]: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; printed: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    const take = (text: string) => {
      printed += text;
    };
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);
    child.once('error', reject).once('close', (code) => resolve({ code, printed }));
  });
}
