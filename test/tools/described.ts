import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startGateway, type TestGateway } from '../support/gateway.js';

const cache = 'test/tools/node_modules/.cache';

/** A gateway, and a folder that holds its descriptions: inside the package of the tools, so that what is generated finds them. */
export interface Described {
  gateway: TestGateway;
  folder: string;
  openapi: string;
  graphql: string;
  close(): Promise<void>;
}

export async function startDescribed(): Promise<Described> {
  const gateway = await startGateway();
  mkdirSync(cache, { recursive: true });
  const folder = resolve(mkdtempSync(join(cache, 'tools-')));
  const [openapi, graphql] = [join(folder, 'openapi.json'), join(folder, 'schema.graphql')];
  writeFileSync(openapi, (await gateway.rest('GET', '/openapi.json')).text);
  writeFileSync(graphql, (await gateway.rest('GET', '/schema.graphql')).text);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const close = async () => {
    await gateway.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { gateway, folder, openapi, graphql, close };
}

/** What a program of `test/tools/programs` prints. Each is a process of its own: they load much, and other versions of libraries. */
export const program = (name: string, parameters: string[], env: Record<string, string> = {}): Promise<string> =>
  run([`test/tools/programs/${name}.mjs`, ...parameters], env);

export async function run(parameters: string[], env: Record<string, string> = {}): Promise<string> {
  const options = { maxBuffer: 2 ** 28, env: { ...process.env, ...env } };
  return (await promisify(execFile)(process.execPath, parameters, options)).stdout;
}
