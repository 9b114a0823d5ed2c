import type { Question, Side } from '../merge/question.js';

interface Props {
  question: Question;
  choice: Side | undefined;
  onChoose: (side: Side) => void;
}

const sides = [
  { side: 'mine', label: 'Mine' },
  { side: 'theirs', label: 'Theirs' },
] as const;

/** The choice between the user's value and that of somebody else. */
export function QuestionField({ question, choice, onChoose }: Props) {
  return (
    <fieldset className="question">
      <legend>{question.label}</legend>
      {sides.map(({ side, label }) => (
        <label key={side}>
          <input type="radio" name={question.key} checked={choice === side} onChange={() => onChoose(side)} />
          <span className="hint">{label}</span> <span className="value">{question[side] || 'empty'}</span>
        </label>
      ))}
    </fieldset>
  );
}
