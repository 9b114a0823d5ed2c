/** Who is signed in, and what they may do, as the gateway says it. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { About, TypeAbout } from '../../about.js';
import { askAll, useAbout } from '../api/graphql.js';
import { useSession } from './session.js';

/** What the gateway says of the one who is signed in. */
function useViewerFields<Fields>(fields: string) {
  const { status } = useSession();
  return useQuery({
    queryKey: ['viewer', fields],
    enabled: status === 'in',
    queryFn: async ({ signal }) =>
      (await askAll<{ viewer: Fields }>({ query: `{ viewer { ${fields} } }` }, signal)).viewer,
  });
}

/** Who is signed in. Asked anew by `refetch`, because a token may have been renewed. */
export const useViewer = () =>
  useViewerFields<{ name: string; roles: string[]; scopes: string[]; expiresAt: string | null }>(
    'name roles scopes expiresAt',
  );

const asked = ['READ', 'CREATE', 'UPDATE', 'SUBMIT', 'CANCEL', 'DELETE'] as const;

/**
 * Whether there is such an action, and scopes and roles allow it with some records of a type, to lead nobody to where they may do
 * nothing; undefined until it is known. The API decides each request anyway, and `actions` of a record says what can be done with it.
 */
export function useMay(): (type: TypeAbout, action: (typeof asked)[number]) => boolean | undefined {
  const { types } = useAbout();
  const fields = types.flatMap((type) =>
    asked
      .slice(0, type.kind === 'child' ? 2 : undefined)
      .map((action) => `${type.model}${action}: may(type: ${nameOf(type)}, action: ${action})`),
  );
  const { data } = useViewerFields<Record<string, boolean>>(fields.join(' '));
  return ({ model, mutations }, action) =>
    action === 'READ' || mutations.includes(action.toLowerCase() + model) ? data?.[model + action] : false;
}

/** What the pages know but the fields that roles hide: they are not empty, and the API takes no value, filter or order for them. */
export function useAboutShown(): About {
  const about = useAbout();
  const hiding = about.types.map((type) => `${type.model}: hiddenFields(type: ${nameOf(type)})`);
  const { data } = useViewerFields<Record<string, string[]>>(hiding.join(' '));
  return useMemo(() => {
    const types = about.types.map((type) => {
      const hidden = data?.[type.model] ?? [];
      return hidden[0] ? { ...type, hidden, fields: type.fields.filter(({ name }) => !hidden.includes(name)) } : type;
    });
    return { ...about, types };
  }, [about, data]);
}

/** As the API names a type. */
const nameOf = ({ title }: TypeAbout): string => title.toUpperCase().replaceAll(' ', '_');
