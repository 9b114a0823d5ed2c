import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { draftOf, type Repair, whyLocked } from '../api/repair.js';
import { changesBetween } from '../merge/changes-between.js';
import { merge, type Question, type Side } from '../merge/merge.js';
import { Author, ChangedBy } from './author.js';
import type { RepairForm } from './use-repair-form.js';

/** What others have done with the repair while it is open here. */
export function Meanwhile({ repairForm }: { repairForm: RepairForm }) {
  const { base, news, busy } = repairForm.state;
  const { newer } = repairForm;
  if (base === null || busy) return null;
  if (newer === 'deleted' || (newer && whyLocked(newer))) return <Overtaken {...{ repairForm, base, newer }} />;
  if (newer) return <Merge {...{ repairForm, base, newer }} />;
  if (!news) return null;
  return (
    <p className="panel" role="status">
      Changed
      <ChangedBy id={base.id} {...news.versions} />: {news.words.join(', ') || `now ${base.status.toLowerCase()}`}.
    </p>
  );
}

interface Props<Newer> {
  repairForm: RepairForm;
  base: Repair;
  newer: Newer;
}

/** What somebody else has saved while the user has unsaved edits, and the questions of the merge. */
function Merge({ repairForm, base, newer }: Props<Repair>) {
  const { form, state, set, show } = repairForm;
  const { choices, asked } = state;
  const { words } = changesBetween(draftOf(base), draftOf(newer));
  const { draft, questions } = merge(draftOf(base), form.watch(), draftOf(newer), choices);
  const open = questions.filter(({ key }) => !choices.has(key)).length;
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (asked > 0) panel.current?.querySelector<HTMLElement>('.open input, .actions > :last-child')?.focus();
  }, [asked]);

  return (
    <section className="panel" aria-labelledby="merge-title" aria-live="polite" ref={panel}>
      <h2 id="merge-title">
        This repair was changed
        <ChangedBy id={newer.id} after={base.version} upTo={newer.version} />
      </h2>
      <p>
        Changed: {words.join(', ') || 'nothing that is shown here'}. Your edits are kept.
        {questions.length > 0 && ' You have both changed the following: choose what is to stand there.'}
      </p>
      {asked > 0 && (
        <p key={asked} className="alert" role="alert">
          Nothing is saved yet: {open > 0 ? 'choose first what is to stand here.' : 'merge first.'}
        </p>
      )}
      {questions.map((question) => (
        <QuestionField
          key={question.key}
          question={question}
          choice={choices.get(question.key)}
          onChoose={(side) => set({ choices: new Map(choices).set(question.key, side) })}
        />
      ))}
      <div className="actions">
        {open > 0 && <output>{open === 1 ? '1 choice is' : `${open} choices are`} left.</output>}
        <button type="button" className="outline" onClick={() => show(newer, { note: 'Your edits are dropped.' })}>
          Drop my edits
        </button>
        <button
          type="button"
          aria-disabled={open > 0}
          onClick={() => open === 0 && show(newer, { draft, note: 'Merged. Not saved yet.' })}
        >
          Merge
        </button>
      </div>
    </section>
  );
}

interface QuestionProps {
  question: Question;
  choice: Side | undefined;
  onChoose: (side: Side) => void;
}

/** The choice between the user's value and that of somebody else. */
function QuestionField({ question, choice, onChoose }: QuestionProps) {
  return (
    <fieldset className={choice ? 'question' : 'question open'}>
      <legend>{question.label}</legend>
      {(['mine', 'theirs'] as const).map((side) => (
        <label key={side}>
          <input type="radio" name={question.key} checked={choice === side} onChange={() => onChoose(side)} />
          {side === 'mine' ? 'Mine' : 'Theirs'} <span className="value">{question[side] || 'empty'}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Says that the repair was submitted, cancelled or deleted meanwhile, and offers what to do with the user's edits. */
function Overtaken({ repairForm, base, newer }: Props<Repair | 'deleted'>) {
  const { isDirty, show, saveAsNew } = repairForm;
  const [word, action] = overtakenBy[newer === 'deleted' ? newer : newer.status];
  return (
    <section className="panel" aria-labelledby="overtaken-title" aria-live="polite">
      <h2 id="overtaken-title">
        This repair was {word}
        <Author id={base.id} of={(versions) => [versions.find((version) => version.action === action)]} />
      </h2>
      <p>
        {isDirty && 'Your edits are not saved, and cannot be saved in it any more. '}
        {(newer === 'deleted' || isDirty) && 'What stands in the form can be saved as a new repair.'}
      </p>
      <div className="actions">
        {newer === 'deleted' ? (
          <Link to="/">All repairs</Link>
        ) : (
          <button type="button" className="outline" onClick={() => show(newer, { note: 'Your edits are dropped.' })}>
            Drop my edits
          </button>
        )}
        <button type="button" onClick={saveAsNew}>
          Save as a new repair
        </button>
      </div>
    </section>
  );
}

/** What has happened, in words and as the history names it; a draft is locked if the key lost a scope. */
const overtakenBy = {
  deleted: ['deleted', 'DELETE'],
  SUBMITTED: ['submitted', 'SUBMIT'],
  CANCELLED: ['cancelled', 'CANCEL'],
  DRAFT: ['changed', 'UPDATE'],
} as const;
