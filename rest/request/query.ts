/** The query of a request without parameters, as most are. It answers without looking anything up. */
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
