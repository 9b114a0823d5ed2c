/** Up to this length, `includes` takes linear time. */
const longestForIncludes = 200;

/**
 * Returns a test for whether a text contains `needle`, in linear time. For needles above about 250 characters V8's
 * `includes` can take the product of both lengths: minutes, where both are long and repetitive.
 */
export function finderOf(needle: string): (text: string) => boolean {
  if (needle.length <= longestForIncludes) return (text) => text.includes(needle);
  const fallback = fallbackOf(needle);
  return (text) => {
    let matched = 0;
    for (let at = 0; at < text.length; at++) {
      const character = text.charCodeAt(at);
      while (matched > 0 && needle.charCodeAt(matched) !== character) matched = fallback[matched - 1] ?? 0;
      if (needle.charCodeAt(matched) === character) matched++;
      if (matched === needle.length) return true;
    }
    return false;
  };
}

/**
 * For each prefix of the needle, the length of its longest proper prefix that is also its suffix (Knuth, Morris,
 * Pratt).
 */
function fallbackOf(needle: string): Int32Array {
  const fallback = new Int32Array(needle.length);
  for (let at = 1, matched = 0; at < needle.length; at++) {
    while (matched > 0 && needle.charCodeAt(matched) !== needle.charCodeAt(at)) matched = fallback[matched - 1] ?? 0;
    if (needle.charCodeAt(matched) === needle.charCodeAt(at)) matched++;
    fallback[at] = matched;
  }
  return fallback;
}
