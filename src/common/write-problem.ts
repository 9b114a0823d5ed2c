/** Undefined for an error of another kind. `also` names what needs room beside the file. */
export function writeProblem(file: string, error: unknown, also = ''): string | undefined {
  const code = systemCode(error);
  if (['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes(code)) return `There is no room for ${file}${also}. Make room.`;
  if (!['ENOENT', 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'].includes(code)) return undefined;
  return `${file} cannot be written (${code}). Give a file in a folder that this user may write.`;
}

/** The code of an error of the system or of a driver, such as `ENOENT`; empty for any other. */
export const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';
