/**
 * A value that may be replaced while the process runs. Code reads it each time it needs it, and what is derived from it
 * is derived again after a replacement, so nothing keeps using an old value.
 */
export class Current<Value> {
  constructor(private read: () => Value) {}

  /** One that keeps its value until that is replaced. */
  static of<Value>(value: Value): Current<Value> {
    return new Current(() => value);
  }

  get value(): Value {
    return this.read();
  }

  replace(value: Value): void {
    this.read = () => value;
  }

  /** What `make` derives from the value: at its first use, and again after each replacement. */
  derive<Made>(make: (value: Value) => Made): Current<Made> {
    let last: { of: Value; made: Made } | undefined;
    return new Current(() => {
      const { value } = this;
      if (!last || last.of !== value) last = { of: value, made: make(value) };
      return last.made;
    });
  }
}
