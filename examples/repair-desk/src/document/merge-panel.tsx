import type { Repair } from '../api/repair.js';
import type { Changes } from '../merge/changes-between.js';
import type { Choices, Question, Side } from '../merge/question.js';
import { Author } from './author.js';
import { QuestionField } from './question-field.js';

interface Props {
  newer: Repair;
  changes: Changes;
  questions: Question[];
  choices: Choices;
  onChoose: (question: string, side: Side) => void;
  onMerge: () => void;
  onLetGo: () => void;
}

/** What somebody else has saved while the user has unsaved edits, and the questions of the merge. */
export function MergePanel({ newer, changes, questions, choices, onChoose, onMerge, onLetGo }: Props) {
  const open = questions.filter(({ key }) => !choices.has(key)).length;
  return (
    <section className="panel" aria-labelledby="merge-title" aria-live="polite">
      <h2 id="merge-title">
        This repair was changed
        <Author id={newer.id} version={newer.version} />
      </h2>
      <p>
        Changed: {changes.words.join(', ') || 'nothing that is shown here'}. Your edits are kept.
        {questions.length > 0 && ' You have both changed the following: choose what is to stand there.'}
      </p>
      {questions.map((question) => (
        <QuestionField
          key={question.key}
          question={question}
          choice={choices.get(question.key)}
          onChoose={(side) => onChoose(question.key, side)}
        />
      ))}
      <div className="actions">
        {open > 0 && <span className="hint">{open === 1 ? '1 choice is' : `${open} choices are`} left.</span>}
        <button type="button" onClick={onLetGo}>
          Drop my edits
        </button>
        <button type="button" className="primary" disabled={open > 0} onClick={onMerge}>
          Merge
        </button>
      </div>
    </section>
  );
}
