/** The parameters of requests without any: nothing is looked up in them, and most requests are like that. */
class NoParameters extends URLSearchParams {
  override get size(): number {
    return 0;
  }

  override has(): boolean {
    return false;
  }

  override getAll(): string[] {
    return [];
  }
}

const noParameters: URLSearchParams = new NoParameters();

/** The parameters in a request target, of which `path` is the part before them. */
export const queryOf = (target: string, path: string): URLSearchParams =>
  target.length > path.length ? new URLSearchParams(/\?([^#]*)/.exec(target)?.[1]) : noParameters;
