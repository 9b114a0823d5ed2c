import { useClient } from 'urql';
import { draftOf, isEditable, type Repair } from '../api/repair.js';
import { changesBetween } from '../merge/changes-between.js';
import { merge } from '../merge/merge.js';
import { type FormAction, type FormState, isEdited } from './form-state.js';
import { MergePanel } from './merge-panel.js';
import { News } from './news.js';
import { OvertakenPanel } from './overtaken-panel.js';
import { create } from './requests.js';

/** What others have done with the repair while it is open here. */
export function Meanwhile({ state, dispatch }: { state: FormState; dispatch: (action: FormAction) => void }) {
  const client = useClient();
  const { base, draft, newer, choices, busy } = state;
  if (base === null || busy) return null;
  if (newer === null) return state.news && <News news={state.news} repair={base} />;

  function letGo(repair: Repair) {
    dispatch({ type: 'rebased', base: repair, draft: draftOf(repair), note: 'Your edits are dropped.' });
  }

  if (newer === 'deleted' || !isEditable(newer)) {
    return (
      <OvertakenPanel
        base={base}
        newer={newer}
        isEdited={isEdited(state)}
        busy={busy}
        onSaveAsNew={() => void create(client, state, dispatch)}
        onLetGo={() => newer !== 'deleted' && letGo(newer)}
      />
    );
  }
  const merged = merge(draftOf(base), draft, draftOf(newer), choices);
  return (
    <MergePanel
      newer={newer}
      changes={changesBetween(draftOf(base), draftOf(newer))}
      questions={merged.questions}
      choices={choices}
      onChoose={(question, side) => dispatch({ type: 'chosen', question, side })}
      onMerge={() => dispatch({ type: 'rebased', base: newer, draft: merged.draft, note: 'Merged. Not saved yet.' })}
      onLetGo={() => letGo(newer)}
    />
  );
}
