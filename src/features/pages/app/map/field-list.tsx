import type { FieldAbout, TypeAbout } from '../../about.js';
import { matchingFields } from './search.js';

/** The fields of a type, shown on demand; at once where a search is about some of them. */
export function FieldList({ type, search }: { type: TypeAbout; search: string }) {
  const found = matchingFields(type, search);
  const shown = found.length > 0 ? found : type.fields;
  return (
    <details className="fields" open={found.length > 0 || type.fields.length <= 6}>
      <summary>
        {found.length > 0 ? `${found.length} of ${type.fields.length} fields` : `${type.fields.length} fields`}
      </summary>
      <dl>
        {shown.map((field) => (
          <div key={field.name}>
            <dt>
              <code>{field.name}</code> <span className="soft">{typeOf(field)}</span>
              {field.restName !== field.name && <code className="soft rest-name">{field.restName}</code>}
            </dt>
            <dd>{field.description}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function typeOf({ type, required, default: value }: FieldAbout): string {
  if (required) return `${type}, required`;
  return value === undefined ? type : `${type}, ${JSON.stringify(value)} if left out`;
}
