import { useMemo, useReducer } from 'react';
import { useClient } from 'urql';
import { followRepair } from '../api/operations.js';
import { draftOf, isEditable, type Repair } from '../api/repair.js';
import { useLive } from '../live/use-live.js';
import { isSameDraft } from './draft.js';
import { nextState, openForm } from './form-state.js';
import { lookAgain } from './requests.js';

/** The state of the form, kept up to date with the changes of others. */
export function useRepairForm(opened: Repair | null) {
  const client = useClient();
  const [state, dispatch] = useReducer(nextState, opened, openForm);
  const { base, draft, newer } = state;
  const read = useMemo(() => draftOf(base), [base]);
  const id = opened?.id ?? '';

  const live = useLive({
    stream: followRepair,
    subject: id,
    isOn: opened !== null && newer !== 'deleted',
    variables: (after) => ({ id, after }),
    onEvent({ record, deletedId }) {
      if (deletedId !== null) dispatch({ type: 'arrived', newer: 'deleted' });
      else if (record?.__typename === 'AssetRepair') dispatch({ type: 'arrived', newer: record });
    },
    onReadAnew: () => void lookAgain(client, id, dispatch),
  });

  return {
    state,
    dispatch,
    live,
    isEdited: !isSameDraft(draft, read),
    /** Nothing can be edited: it is submitted, cancelled or gone, or this key may not. */
    isLocked: [base, newer].some((repair) => repair === 'deleted' || (repair !== null && !isEditable(repair))),
  };
}
