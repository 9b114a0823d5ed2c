import { useQuery } from '@tanstack/react-query';
import { askAll } from '../api/graphql.js';
import { Trouble } from '../ui/notice.js';
import type { RecordProps } from './props.js';
import { labelOf, Value, When } from './value.js';

interface Version {
  at: string;
  action: string;
  version: number;
  by: { keyName: string };
  changes: { path: string[]; before: unknown; after: unknown; action: string }[];
}

type Data = Record<string, { history: { nodes: Version[] } } | null>;

/** Who changed what, the newest first, as far as the journal holds it. */
export function History({ type, record, recordKey }: RecordProps) {
  const { data, error } = useQuery({
    queryKey: ['history', record.id, record.version],
    queryFn: async ({ signal }) => {
      const isOne = type.kind === 'singleton';
      const query = `query ${isOne ? '' : '($id: ID!)'} { ${type.one}${isOne ? '' : '(id: $id)'} {
        history(first: 20) { nodes { at action version by { keyName } changes { path before after action } } }
      } }`;
      const found = await askAll<Data>(recordKey, query, isOne ? {} : { id: record.id }, signal);
      return found[type.one]?.history.nodes ?? [];
    },
  });
  return (
    <section className="card history" aria-label="History">
      <h2>History</h2>
      {error && <Trouble error={error} />}
      {data?.length === 0 && <p className="soft">The journal holds no change of it.</p>}
      <ol>
        {data?.map(({ version, action, at, by, changes }) => (
          <li key={version}>
            <p>
              <strong>Version {version}</strong> · {action} <span className="soft">by {by.keyName},</span>{' '}
              <span className="soft">
                <When at={at} />
              </span>
            </p>
            {action !== 'create' && (
              <ul>
                {changes.slice(0, 12).map(({ path, before, after }) => (
                  <li key={path.join('.')}>
                    {path.map(labelOf).join(' / ')}: <Value value={before} /> → <Value value={after} />
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
