/** The gateway did not answer, or its answer was cut off. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('The gateway cannot be reached. Is it still running?', { cause });
  }
}

/**
 * Asks the gateway. Only what happens on the way is `Unreachable`: a request that cannot be made at all, such as one
 * with a header that has letters no header takes, is thrown unchanged.
 */
export async function reach(address: string | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(address, init);
  return onTheWay(fetch(request));
}

/** The JSON of an answer. Something between the browser and the gateway may have answered instead, without any. */
export async function jsonOf<Body>(response: Response): Promise<Body> {
  const text = await onTheWay(response.text());
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`The gateway, or what is before it, answered ${response.status} and no JSON.`);
  }
}

async function onTheWay<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    // A request that nobody waits for any more was ended here.
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Unreachable(error);
  }
}
