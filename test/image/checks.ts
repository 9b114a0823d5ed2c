/** What a run says of an image: a line for what holds, and one for what does not. */
import { setTimeout as sleep } from 'node:timers/promises';

export const key = 'a-key-that-is-long-enough';
export const path = '/api/crm/industry-type';

let wrong = 0;

export const tell = (what: string) => console.log(`== ${what}`);

export function expectThat(what: string, holds: boolean, told: unknown): void {
  console.log(`${holds ? 'yes' : 'NO '}  ${what}${holds ? '' : `: ${JSON.stringify(told)}`}`);
  if (!holds) wrong++;
}

/** The exit code of the run. */
export const outcome = () => (wrong > 0 ? 1 : 0);

/** Asks the gateway at this port, for half a minute while nobody listens there. */
export async function ask(
  port: number,
  method: string,
  address: string,
  body?: object,
): Promise<{ status: number; text: string }> {
  for (let tries = 0; ; tries++) {
    try {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const response = await fetch(`http://127.0.0.1:${port}${address}`, {
        method,
        headers,
        body: JSON.stringify(body),
      });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      if (tries === 60) throw error;
      await sleep(500);
    }
  }
}
