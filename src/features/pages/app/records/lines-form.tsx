import { useRef, useState } from 'react';
import type { TypeAbout } from '../../about.js';
import { formFields } from './draft.js';
import { type ChangeDraft, LineForm, type Lines, withLines } from './line-form.js';
import { labelOf } from './value.js';

interface Props {
  list: string;
  type: TypeAbout;
  lines: Lines;
  problemAt(place: string): string | undefined;
  change: ChangeDraft;
}

/** How many lines are shown before somebody asks for all: thousands of fields take the browser seconds to draw. */
const first = 25;

/** The lines of a record: changed, added and taken away. */
export function LinesForm({ list, type, lines, problemAt, change }: Props) {
  const title = labelOf(list);
  const [isWhole, setIsWhole] = useState(false);
  const adding = useRef<HTMLButtonElement>(null);
  const place = (index: number) => `input.${list}[${index}]`;
  const isShown = (line: Lines[number], index: number) =>
    isWhole || index < first || !line.id || formFields(type).some(({ name }) => problemAt(`${place(index)}.${name}`));
  const hidden = lines.filter((line, index) => !isShown(line, index)).length;
  const add = () =>
    change((draft) =>
      withLines(draft, list, (before) => [...before, { place: `new ${performance.now()}`, fields: {} }]),
    );
  return (
    <section className="card" aria-label={title}>
      <h2>{title}</h2>
      {lines.map(
        (line, index) =>
          isShown(line, index) && (
            <LineForm
              key={line.place}
              list={list}
              type={type}
              line={line}
              index={index}
              problemAt={problemAt}
              change={change}
              adding={adding}
            />
          ),
      )}
      {hidden > 0 && (
        <p>
          <button type="button" onClick={() => setIsWhole(true)}>
            Show the other {hidden.toLocaleString('en')} lines
          </button>
        </p>
      )}
      <button ref={adding} type="button" onClick={add}>
        Add a line
      </button>
    </section>
  );
}
