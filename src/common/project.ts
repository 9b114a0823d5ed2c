/** The project itself: where it lies, and its version. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project, both when running the sources and when running the build. */
export const projectFolder = nearestPackage(dirname(fileURLToPath(import.meta.url)));

export function gatewayVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
  return version;
}

function nearestPackage(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('No package.json above the sources: run the gateway from its own folder');
  return nearestPackage(parent);
}
