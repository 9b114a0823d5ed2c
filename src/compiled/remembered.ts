/** The first texts of a statement are kept, by what they depend on, because to write one takes longer than to run it. */
export type Remembered = (key: string, write: () => string) => string;

export function remembered(): Remembered {
  const texts = new Map<string, string>();
  return (key, write) => {
    const text = texts.get(key) ?? write();
    if (texts.size < mostRemembered) texts.set(key, text);
    return text;
  };
}

const mostRemembered = 50;
