import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../database/migrations/migration-history.js';

/** The version of the gateway, as its package states it. */
export function gatewayVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
  return version;
}
