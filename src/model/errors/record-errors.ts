import { refusal } from './error-rows.js';
import { type GatewayError, quotedId } from './gateway-error.js';

/** The record is missing, or its state, or its version does not allow what is asked. */
export const recordErrors = {
  /** No record of the type has this id. `title` is the record type's title. */
  notFound: (title: string, id: string) => refusal('resource_missing', `No ${title} has the id ${quotedId(id)}.`),

  /** A transition that the record's current state does not allow. */
  invalidState: (state: RefusedState & { target: string }) =>
    refusedState(
      state,
      state.current === state.target
        ? `This ${state.title} is already ${state.current}.`
        : `This ${state.title} is ${state.current} and cannot become ${state.target}.`,
    ),

  /** A change of a submitted or cancelled document, or of its lines, where LOCK_SUBMITTED forbids it. */
  locked: (state: RefusedState) =>
    refusedState(
      state,
      `This ${state.title} is ${state.current}, and this gateway keeps submitted documents and their lines as they are.`,
    ),

  /** The record has another version than the caller expects: it was changed after it was read. */
  versionConflict: (title: string, current: number) =>
    refusal(
      'version_conflict',
      `This ${title} is at version ${current}, not at the one you expect. Read it again and repeat the change.`,
      { currentVersion: current },
    ),
};

/** A state of a document that does not allow what is asked. */
interface RefusedState {
  title: string;
  current: string;
  expected: string;
  allowed: string[];
}

const refusedState = ({ current, expected, allowed }: RefusedState, what: string): GatewayError =>
  refusal(
    'invalid_state',
    `${what} ${allowed.length > 0 ? `What it allows now: ${allowed.join(', ')}.` : 'This is its final state.'}`,
    { currentState: current, expectedState: expected, allowedActions: allowed },
  );
