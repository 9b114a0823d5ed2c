/**
 * Leaves out the secret part of API keys, which is 52 letters and digits behind a `_`: somebody may send a key as a part of a path, as
 * an id of a request or as a name in a document. Where a key is there only once its characters are decoded, all of them are written
 * decoded.
 */
export function withoutKeys(text: string): string {
  const plain = masked(text);
  if (!plain.includes('%')) return plain;
  const decoded = decodedWords(plain);
  const decodedAndMasked = masked(decoded);
  return decodedAndMasked === decoded ? plain : decodedAndMasked;
}

const masked = (text: string): string => text.replace(/_[0-9a-z]{52}/gi, '_…');

/**
 * Decodes what is encoded by percent signs, also several times over, of letters, digits, `_` and `%` alone, so that JSON stays what it is.
 * In one pass, because a client chooses how often it is encoded.
 */
export function decodedWords(text: string): string {
  const decoded: string[] = [];
  for (const character of text) {
    decoded.push(character);
    for (let word = lastOf(decoded); word !== undefined; word = lastOf(decoded)) decoded.splice(-3, 3, word);
  }
  return decoded.join('');
}

/** The character that the last three encode, if it is one of a word, or `%`. */
function lastOf(decoded: readonly string[]): string | undefined {
  if (decoded.at(-3) !== '%') return undefined;
  const code = `${decoded.at(-2)}${decoded.at(-1)}`;
  const character = /^[0-9a-f]{2}$/i.test(code) ? String.fromCharCode(Number.parseInt(code, 16)) : '';
  return /^[\w%]$/.test(character) ? character : undefined;
}
