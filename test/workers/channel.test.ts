/** Calls between the primary process and its workers, whatever happens to a worker or to what is called. */
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { Channel, type OtherEnd, type PrimaryCalls, type WorkerCalls } from '../../src/gateway/workers/messages.js';
import { SharedState } from '../../src/gateway/workers/shared-state.js';

class End extends EventEmitter implements OtherEnd {
  connected = true;
  other: EventEmitter | undefined;

  send(message: object): boolean {
    setImmediate(() => this.other?.emit('message', structuredClone(message)));
    return true;
  }
}

/** Two ends of which each hears what is sent on the other. */
function ends(): [End, End] {
  const [one, other] = [new End(), new End()];
  [one.other, other.other] = [other, one];
  return [one, other];
}

interface Calls {
  answer(text: string): Promise<string>;
  fail(): Promise<string>;
  throwAtOnce(): Promise<string>;
  later(): Promise<string>;
  never(): Promise<string>;
}

test('what is asked is answered, also with what has failed, and where there is no such function', async () => {
  const [here, there] = ends();
  const asking = new Channel<object, Calls>(here, {});
  const asked = new Channel<Calls, object>(there, {
    answer: async (text) => `${text}!`,
    fail: async () => Promise.reject(new Error('on purpose')),
    throwAtOnce: () => {
      throw new Error('at once');
    },
    never: () => new Promise(() => undefined),
  });
  const answers = await Promise.allSettled([
    asking.ask('answer', ['a']),
    asking.ask('fail', []),
    asking.ask('throwAtOnce', []),
    asking.ask('later', []),
    asking.ask('never', [], AbortSignal.timeout(5)),
    asking.ask('answer', ['b']),
  ]);
  expect(answers.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.message))).toEqual([
    'a!',
    'Error: on purpose',
    'Error: at once',
    undefined,
    'The operation was aborted',
    'b!',
  ]);
  asked.add({ later: async () => 'now' });
  expect(await asking.ask('later', [])).toBe('now');
});

test('a worker whose last words are heard after its end gets nothing that it could not give back', async () => {
  const shared = new SharedState({ workers: 2, streamsAtOnce: 2, streamsPerKey: 1, databaseReadUrl: [] });
  const join = (ended: Promise<unknown>) => {
    const [primary, worker] = ends();
    shared.join(primary, ended);
    const turns: boolean[] = [];
    const ours = { turn: (isWanted: boolean) => void turns.push(isWanted) };
    return { turns, primary: new Channel<WorkerCalls, PrimaryCalls>(worker, ours) };
  };
  const [ended, sound] = [join(Promise.resolve()), join(new Promise(() => undefined))];
  await Promise.resolve();
  ended.primary.tell('wantTurn');
  expect(await ended.primary.ask('takePlace', ['key'])).toBe('too many');
  sound.primary.tell('wantTurn');
  expect(await sound.primary.ask('takePlace', ['key'])).toBe('taken');
  expect(sound.turns).toEqual([false]);
  expect(ended.turns).toEqual([]);
});
