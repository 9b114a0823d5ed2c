import { GatewayError, quotedId } from './gateway-error.js';

/** The record is missing, or its state, its version or its history does not allow what is asked. */
export const recordErrors = {
  /** No record of the type has this id. `title` is the record type's title. */
  notFound: (title: string, id: string) =>
    new GatewayError('NOT_FOUND', `No ${title} has the id ${quotedId(id)}.`, { reason: 'resource_missing' }),

  /**
   * The journal does not have every change of a record since an instant or a version. `knownFrom` is the earliest instant at which the
   * record is known; undefined if there is none.
   */
  historyIncomplete: (title: string, at: Date | number, knownFrom?: Date) =>
    new GatewayError(
      'HISTORY_INCOMPLETE',
      `It is not known what this ${title} was ${typeof at === 'number' ? `in version ${at}` : `at ${at.toISOString()}`}: changes that were made since then are no longer kept, or were made while the journal was turned off. ${knownFrom ? `Ask for ${knownFrom.toISOString()} or later.` : 'No earlier instant is known either.'}`,
      { reason: 'history_incomplete', ...(knownFrom ? { knownFrom: knownFrom.toISOString() } : {}) },
    ),

  /** A transition that the record's current state does not allow. */
  invalidState: (state: { title: string; target: string; current: string; expected: string; allowed: string[] }) =>
    new GatewayError(
      'INVALID_STATE',
      (state.current === state.target
        ? `This ${state.title} is already ${state.current}. `
        : `This ${state.title} is ${state.current} and cannot become ${state.target}. `) +
        (state.allowed.length > 0 ? `What it allows now: ${state.allowed.join(', ')}.` : 'This is its final state.'),
      {
        reason: 'invalid_state',
        currentState: state.current,
        expectedState: state.expected,
        allowedActions: state.allowed,
      },
    ),

  /** A change of a submitted or cancelled document, or of its lines, where LOCK_SUBMITTED forbids it. */
  locked: (state: { title: string; current: string; expected: string; allowed: string[] }) =>
    new GatewayError(
      'INVALID_STATE',
      `This ${state.title} is ${state.current}, and this gateway keeps submitted documents and their lines as they are. ` +
        (state.allowed.length > 0 ? `What it allows now: ${state.allowed.join(', ')}.` : 'This is its final state.'),
      {
        reason: 'invalid_state',
        currentState: state.current,
        expectedState: state.expected,
        allowedActions: state.allowed,
      },
    ),

  /** The record has another version than the caller expects: it was changed after it was read. */
  versionConflict: (title: string, current: number) =>
    new GatewayError(
      'VERSION_CONFLICT',
      `This ${title} is at version ${current}, not at the one you expect. Read it again and repeat the change.`,
      { reason: 'version_conflict', currentVersion: current },
    ),
};
