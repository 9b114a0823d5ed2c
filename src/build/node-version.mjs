/**
 * Imported before anything else: refuses a Node that the gateway, or a package of it, does not run on, as `engines` in
 * package.json says. Such a Node would end with a stack where it first lacks something. It has to be able to read this file.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (!(major >= 24 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19))) {
  process.stderr.write(
    `error: The gateway does not run on Node ${process.versions.node}. Install Node 24 or a later one, or the newest 22 or 20.\n`,
  );
  process.exit(1);
}
