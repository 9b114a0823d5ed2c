/**
 * A value that may be exchanged as a whole while the process runs. Whoever needs it asks for it each time, and what is
 * made of it is made anew after an exchange, so that nothing goes on with an old one.
 */
export class Current<Value> {
  constructor(private readonly read: () => Value) {}

  /** One that is never exchanged. */
  static of<Value>(value: Value): Current<Value> {
    return new Current(() => value);
  }

  get value(): Value {
    return this.read();
  }

  /** What `make` makes of the value: when it is first asked for, and again after each exchange. */
  derive<Made>(make: (value: Value) => Made): Current<Made> {
    let last: { of: Value; made: Made } | undefined;
    return new Current(() => {
      const { value } = this;
      if (!last || last.of !== value) last = { of: value, made: make(value) };
      return last.made;
    });
  }
}
