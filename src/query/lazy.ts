/** Runs `read` at the first call and returns its promise from then on. */
export function lazy<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= read();
    return result;
  };
}
