import type { AnyVariables, Client, CombinedError, TypedDocumentNode } from 'urql';
import { codesOf } from '../api/trouble.js';
import type { StreamNotice } from '../generated/graphql.js';
import { afterPress } from './after-press.js';

export interface StreamEvent {
  position: string;
  notice: StreamNotice | null;
}

/** A subscription that takes the position to continue behind. */
export type Stream<Event extends StreamEvent, Variables extends AnyVariables> = TypedDocumentNode<
  { assetRepairChanged: Event | null },
  Variables
>;

/** `off`: the gateway refuses the stream, and asking again would not help. */
export type LiveState = 'connecting' | 'live' | 'off';

export interface Listener<Event> {
  onEvent(event: Event): void;
  /** Changes may have been missed: read again what is shown. */
  onReadAnew(): void;
  onState(state: LiveState): void;
}

const pauses = { shortest: 1_000, longest: 30_000 };
const hopeless: unknown[] = ['FORBIDDEN', 'BAD_USER_INPUT', 'BAD_REQUEST', 'GRAPHQL_VALIDATION_FAILED'];

/**
 * Follows a stream of changes, and subscribes again behind the last position whenever it ends.
 * @param variables The variables of the subscription that continues behind `after`; null begins with the next change.
 * @returns a function that stops it and returns the last position
 */
export function follow<Event extends StreamEvent, Variables extends AnyVariables>(
  client: Client,
  stream: Stream<Event, Variables>,
  variables: (after: string | null) => Variables,
  listener: Listener<Event>,
  from: string | null = null,
): () => string | null {
  let after = from;
  let pause = pauses.shortest;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let end = () => {};
  let isStopped = false;

  function begin() {
    listener.onState('connecting');
    const { unsubscribe } = client.subscription(stream, variables(after)).subscribe(({ data, error, hasNext }) =>
      afterPress(() => {
        // It comes again behind the position that was reached.
        if (isStopped) return;
        // The last result is only that there are no more: it repeats the data of the one before.
        const event = hasNext ? data?.assetRepairChanged : undefined;
        if (event) take(event);
        if (error || !hasNext) endWith(error);
        // Not at once: urql is still busy with this result.
        if (error && hasNext) setTimeout(unsubscribe);
      }),
    );
    end = unsubscribe;
  }

  function take(event: Event) {
    const isMissing = event.notice === 'TOO_OLD' || (event.notice === 'OPENED' && after === null);
    after = event.position;
    if (event.notice === 'CLOSING') return;
    pause = pauses.shortest;
    listener.onState('live');
    if (isMissing) listener.onReadAnew();
    if (event.notice === null) listener.onEvent(event);
  }

  function endWith(error: CombinedError | undefined) {
    if (error && codesOf(error).some((code) => hopeless.includes(code))) return listener.onState('off');
    listener.onState('connecting');
    // Not all at the same time: many pages may have lost the same gateway.
    timer = setTimeout(begin, pause * (0.5 + Math.random() / 2));
    pause = Math.min(pause * 2, pauses.longest);
  }

  begin();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    end();
    return after;
  };
}
