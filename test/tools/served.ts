import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface Served {
  url: string;
  close(): void;
}

/** Starts a program of `test/tools/programs` that prints its address first, and ends with its input. */
export async function serve(name: string, parameters: string[], env: Record<string, string> = {}): Promise<Served> {
  const child = spawn(process.execPath, [`test/tools/programs/${name}.mjs`, ...parameters], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  for await (const url of createInterface(child.stdout)) {
    child.stdout.resume();
    return { url, close: () => void child.stdin.end() };
  }
  throw new Error(`${name} ended before it printed its address`);
}
