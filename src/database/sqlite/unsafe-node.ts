/**
 * Node 24.19 and later end the process with "Assertion failed: (env) != nullptr" when objects of better-sqlite3 12 are
 * collected as garbage at certain moments: the headers of Node register what the library does not expect. Version 13 of the
 * library does not do that, but needs Node 22.
 */
export function unsafeNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < 24 || (major === 24 && minor < 19)) return undefined;
  return `Node ${version} can end the process at any time where it uses SQLite: run Node 20.19, 22, or 24 before 24.19.`;
}
