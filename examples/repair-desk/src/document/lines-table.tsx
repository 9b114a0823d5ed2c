import { type LineFieldName, lineFields } from '../api/repair.js';
import { type DraftLine, newLine } from './draft.js';
import { LabelledInput } from './labelled-input.js';

interface Props {
  lines: DraftLine[];
  disabled: boolean;
  /** What is wrong, by its place: `consumedItems[0].itemCode`. */
  problems: Map<string, string>;
  onChange: (lines: DraftLine[]) => void;
}

/** The consumed items, to be edited, added and removed. */
export function LinesTable({ lines, disabled, problems, onChange }: Props) {
  function edit(key: string, name: LineFieldName, value: string) {
    onChange(lines.map((line) => (line.key === key ? { ...line, values: { ...line.values, [name]: value } } : line)));
  }

  return (
    <section>
      <h2>Consumed items</h2>
      <table className="lines">
        <thead>
          <tr>
            {lineFields.map(({ name, label }) => (
              <th key={name} scope="col">
                {label}
              </th>
            ))}
            <th aria-label="Remove" />
          </tr>
        </thead>
        <tbody>
          {lines.map((line, place) => (
            <tr key={line.key}>
              {lineFields.map((field) => (
                <td key={field.name} className={field.type}>
                  <LabelledInput
                    field={field}
                    value={line.values[field.name]}
                    disabled={disabled}
                    problem={problems.get(`consumedItems[${place}].${field.name}`)}
                    labelHidden
                    onChange={(value) => edit(line.key, field.name, value)}
                  />
                </td>
              ))}
              <td>
                <button
                  type="button"
                  className="quiet"
                  aria-label={`Remove line ${place + 1}`}
                  disabled={disabled}
                  onClick={() => onChange(lines.filter(({ key }) => key !== line.key))}
                >
                  ×
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length === 0 && <p className="hint">None.</p>}
      {!disabled && (
        <button type="button" onClick={() => onChange([...lines, newLine()])}>
          Add a line
        </button>
      )}
    </section>
  );
}
