import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { recordName } from '../../../../../model/record-name.js';
import { type FieldAbout, type TypeAbout, typeCalled } from '../../../about.js';
import { askAll, type Operation, useAbout } from '../../api/graphql.js';
import { wordsFor } from '../../api/problems.js';
import { ComboBox, type TextFieldProps } from '../../ui/combo-box.js';
import { Link } from '../../ui/controls.js';
import { Icon } from '../../ui/icon.js';
import type { Row } from '../list/grid.js';

interface LinkProps extends TextFieldProps {
  link: NonNullable<FieldAbout['link']>;
  isCell?: boolean | undefined;
}

/** A text that names a record: found by what it is called, with a way to it. Any other text may stand there, too. */
export function LinkField({ link, isCell = false, ...field }: LinkProps) {
  const type = typeCalled(useAbout(), link.model);
  const [isIn, setIsIn] = useState(false);
  const text = useDeferredValue(field.value);
  const { data, error, isFetching } = useQuery({
    queryKey: ['named', link.model, link.by, text],
    // A grid of a thousand lines asks for nothing before somebody is in one of them.
    enabled: type !== undefined && (isIn || (!isCell && text !== '')),
    queryFn: async ({ signal }) =>
      type && (await askAll<Record<string, { nodes: Row[] }>>(namedBy(type, link.by, text), signal))[type.many]?.nodes,
  });
  if (!type) return <ComboBox {...field} options={[]} />;
  const named = data?.find((row) => row[link.by] === field.value);
  const none = `No ${type.title} is called so. It can be saved all the same.`;
  const id = link.by === 'id' ? field.value : named?.id;
  return (
    <div className="link-field">
      <ComboBox
        {...field}
        isSearched
        onFocus={() => setIsIn(true)}
        onBlur={() => setIsIn(false)}
        options={(data ?? []).map((row) => ({
          value: String(row[link.by] ?? ''),
          hint: recordName(type, row) || undefined,
        }))}
        status={error ? wordsFor(error) : data?.length === 0 ? none : isFetching && !data ? 'Searching…' : undefined}
      />
      {id && (
        <Link
          to={`records/${type.slug}/${id}`}
          aria-label={`Open the ${type.title} ${field.value}`}
          className="button quiet"
        >
          <Icon name="next" />
        </Link>
      )}
    </div>
  );
}

/** The records of a type that are called something like this; without a text the newest. */
function namedBy(type: TypeAbout, by: string, text: string): Operation {
  const names = [...new Set([by, ...type.namedBy.flat()])];
  const texts = names.filter((name) => type.fields.some((field) => field.name === name && field.type === 'String'));
  const conditions = [
    ...texts.map((name) => ({ [name]: { contains: text } })),
    ...(by === 'id' ? [{ id: { eq: text } }] : []),
  ];
  return {
    query: `query ${type.model}Named($where: ${type.model}Filter) {
  ${type.many}(first: 8, where: $where) { nodes { ${[...new Set(['id', ...names])].join(' ')} } }
}
`,
    variables: text ? { where: { or: conditions } } : {},
  };
}
