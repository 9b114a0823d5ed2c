/**
 * The beginning of a command that runs the rest without the rights of root to read and write every file. Empty for
 * other users, who have no such rights.
 */
export const asOrdinaryUser: readonly string[] =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];
