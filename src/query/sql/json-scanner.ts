/**
 * Reads JSON arrays as PostgreSQL writes them, value by value, without converting anything: parsing them and writing
 * them again would take five times as long. The text may be bytes (`bytes.ts`), because all of JSON's own characters are
 * ASCII.
 */
export class JsonScanner {
  #at = 0;

  constructor(private readonly text: string) {}

  /** Enters the array that comes next; returns false if there is null instead. */
  enter(): boolean {
    const isArray = this.text.charCodeAt(this.#at) === OPENING;
    this.#at += isArray ? 1 : 'null'.length;
    return isArray;
  }

  /** Leaves an array whose values have all been read. */
  leave(): void {
    this.#at++;
  }

  /** Passes the comma before a further value; returns false at the end of the array. */
  hasNext(): boolean {
    if (this.text.charCodeAt(this.#at) !== COMMA) return this.text.charCodeAt(this.#at) !== CLOSING;
    // json_build_array writes a space, array_to_json does not.
    this.#at += this.text.charCodeAt(this.#at + 1) === SPACE ? 2 : 1;
    return true;
  }

  /** The text of the value that comes next: a string, a number, true, false, null, or an array of such strings. */
  value(): string {
    const { text } = this;
    const start = this.#at;
    const first = text.charCodeAt(start);
    if (first === NULL) {
      this.#at += 'null'.length;
      return 'null';
    }
    if (first === QUOTE) this.#at = endOfString(text, start);
    else if (first === OPENING) this.#at = text.indexOf(']', start) + 1;
    else {
      const comma = text.indexOf(',', start);
      const end = text.indexOf(']', start);
      this.#at = comma >= 0 && comma < end ? comma : end;
    }
    return text.slice(start, this.#at);
  }

  /** The same for a number, true or false, which may be in quotes. */
  unquoted(): string {
    const { text } = this;
    const start = this.#at;
    if (text.charCodeAt(start) !== QUOTE) return this.value();
    const end = text.indexOf('"', start + 1);
    this.#at = end + 1;
    return text.slice(start + 1, end);
  }
}

/** The position after the closing quote: one that an even number of backslashes precedes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((end - before) % 2 === 1) return end + 1;
  }
}

const [QUOTE, COMMA, SPACE, OPENING, CLOSING, BACKSLASH, NULL] = [34, 44, 32, 91, 93, 92, 110];
