/** Up to so many characters `includes` is fast and takes no more than linear time. */
const longestForIncludes = 200;

/**
 * Tells whether a text holds `needle`, in time linear in both. Beyond some 250 characters `includes` of V8 can take the
 * product of the two: minutes, where both are long and repeat themselves.
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

/** For each beginning of the needle the length of the longest shorter beginning that it ends with (Knuth, Morris, Pratt). */
function fallbackOf(needle: string): Int32Array {
  const fallback = new Int32Array(needle.length);
  for (let at = 1, matched = 0; at < needle.length; at++) {
    while (matched > 0 && needle.charCodeAt(matched) !== needle.charCodeAt(at)) matched = fallback[matched - 1] ?? 0;
    if (needle.charCodeAt(matched) === needle.charCodeAt(at)) matched++;
    fallback[at] = matched;
  }
  return fallback;
}
