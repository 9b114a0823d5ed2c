/**
 * The base images of the Dockerfile, made from Debian's packages and npm's `node` without an image registry: the same
 * Debian and the same version of Node, both with the compiler.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const nodeFolder = join(import.meta.dirname, '../nodes');

/** Makes the images that `dockerfile` names after FROM, in a root file system below `folder`. */
export function makeBaseImages(dockerfile: string, folder: string, podman: (...words: string[]) => void): void {
  const bases = [...readFileSync(dockerfile, 'utf8').matchAll(/^FROM (node:([\d.]+)-\S+)/gm)];
  const version = bases[0]?.[2] ?? '';
  const root = join(folder, 'root');
  const run = (program: string, ...words: string[]) =>
    execFileSync(program, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  run('debootstrap', '--variant=minbase', '--include=python3,make,g++,ca-certificates', 'bookworm', root);
  run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', nodeFolder);
  const node = execFileSync('sh', ['-c', `echo ${nodeFolder}/node_modules/node-${version}*`], { encoding: 'utf8' });
  for (const part of ['bin', 'include'])
    cpSync(join(node.trim(), part), join(root, 'usr/local', part), { recursive: true });
  const npm = dirname(dirname(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())));
  mkdirSync(join(root, 'usr/local/lib/node_modules'), { recursive: true });
  cpSync(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true, dereference: true });
  run('ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
  // The certificates of this machine, by which it reaches the registry.
  cpSync('/etc/ssl/certs/ca-certificates.crt', join(root, 'etc/ssl/certs/ca-certificates.crt'), { dereference: true });
  writeFileSync(join(root, 'root/.npmrc'), 'nodedir=/usr/local\ncafile=/etc/ssl/certs/ca-certificates.crt\n');
  run('chroot', root, 'groupadd', '--gid', '1000', 'node');
  run('chroot', root, 'useradd', '--uid', '1000', '--gid', 'node', '--create-home', 'node');
  run('tar', '--create', '--file', join(folder, 'root.tar'), '--directory', root, '.');
  for (const [, name] of bases) podman('import', join(folder, 'root.tar'), `docker.io/library/${name}`);
}
