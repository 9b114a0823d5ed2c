/**
 * The beginning of a command that runs the rest with no more rights than an owner of files has: root may read and write
 * every file otherwise, whatever its permissions. As anybody else, nothing.
 */
export const asOrdinaryUser: readonly string[] =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];
