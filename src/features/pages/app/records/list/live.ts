/** What others change in a list while somebody looks at it (docs/live.md). */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { TypeAbout } from '../../../about.js';
import { type Answer, bearing, type Operation, post } from '../../api/graphql.js';
import { freshKey } from '../../session/session.js';
import { changesOperation } from '../operations.js';

interface ChangeEvent {
  position: string;
  notice: string | null;
  action: string | null;
  recordId: string | null;
  leftId: string | null;
}

/** Milliseconds: for how long a change is marked; until a list is read again, and between two reads; after a stream has ended. */
const marked = 30_000;
const settled = 300;
const apart = 3000;
const pauses = { first: 1000, longest: 30_000 };

const words: Record<string, string> = {
  CREATE: 'new',
  SUBMIT: 'submitted',
  CANCEL: 'cancelled',
  DELETE: 'deleted',
};

/** What has just happened to the records of a list, by their ids. The list is read again after each change. */
export function useLive(type: TypeAbout, where: object | undefined, isWanted: boolean): ReadonlyMap<string, string> {
  const queries = useQueryClient();
  const [changes, setChanges] = useState<ReadonlyMap<string, string>>(new Map());
  const filter = JSON.stringify(where);
  useEffect(() => {
    if (!type.subscription || !isWanted) return;
    let stream: AbortController | undefined;
    let after: string | undefined;
    let soon: ReturnType<typeof setTimeout> | undefined;
    let nextRead = 0;
    const mark = ({ recordId, action, leftId }: ChangeEvent) => {
      if (!recordId) return;
      const word = leftId ? 'gone' : (words[action ?? ''] ?? 'changed');
      setChanges((now) => new Map(now).set(recordId, word));
      setTimeout(() => setChanges((now) => new Map([...now].filter(([id]) => id !== recordId))), marked);
    };
    const listen = async (signal: AbortSignal) => {
      for (let pause = pauses.first; !signal.aborted; pause = Math.min(2 * pause, pauses.longest)) {
        const given: object | undefined = filter === undefined ? undefined : JSON.parse(filter);
        const isToGoOn = await follow(changesOperation(type, given, after), signal, (event) => {
          after = event.position;
          pause = pauses.first;
          mark(event);
          // Also at its opening: what has happened since the list was read is not told.
          if (event.notice === 'CLOSING') return;
          soon ??= setTimeout(
            async () => {
              soon = undefined;
              const begun = Date.now();
              nextRead = begun + apart;
              await queries.invalidateQueries({ queryKey: ['list', type.model] });
              // What takes long to read is read seldom: many may look at it while it changes all the time.
              nextRead = begun + Math.max(apart, 30 * (Date.now() - begun));
            },
            Math.max(settled, nextRead - Date.now()),
          );
        }).catch(() => true);
        if (!isToGoOn) return;
        await new Promise((resolve) => setTimeout(resolve, pause * (1 + Math.random())));
      }
    };
    // A browser has six connections to a server that speaks HTTP/1.1, for all its tabs: one that nobody sees takes none.
    const seen = () => {
      stream?.abort();
      stream = document.hidden ? undefined : new AbortController();
      if (stream) void listen(stream.signal);
    };
    seen();
    document.addEventListener('visibilitychange', seen);
    return () => {
      document.removeEventListener('visibilitychange', seen);
      stream?.abort();
      clearTimeout(soon);
      setChanges(new Map());
    };
  }, [type, filter, isWanted, queries]);
  return changes;
}

/** Hands on the events of a stream until it ends, and says whether to ask again: a refusal stays one. */
async function follow(operation: Operation, signal: AbortSignal, onEvent: (event: ChangeEvent) => void) {
  const headers = { ...bearing((await freshKey()) ?? ''), Accept: 'text/event-stream' };
  const { ok, status, body } = await post(JSON.stringify(operation), headers, signal);
  if (!ok || !body) return status === 429 || status >= 500;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const events = (rest + part.value).split('\n\n');
    rest = events.pop() ?? '';
    for (const data of events.flatMap((event) => /^data: ?(.+)$/m.exec(event)?.[1] ?? [])) {
      const answer: Answer<Record<string, ChangeEvent | null>> = JSON.parse(data);
      const event = Object.values(answer.data ?? {})[0];
      if (!event) return false;
      onEvent(event);
    }
  }
  return true;
}
