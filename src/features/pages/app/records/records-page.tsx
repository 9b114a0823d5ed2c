import { areasOf, areaTitle, typeNamed, useAbout } from '../api/about.js';
import { NeedsKey } from '../session/needs-key.js';
import { Link } from '../ui/link.js';
import { Empty } from '../ui/notice.js';
import { useTitle } from '../ui/title.js';
import { RecordList } from './record-list.js';
import { RecordPage } from './record-page.js';

/** The records: which types there are, the records of one, or one record. */
export function RecordsPage({ slug, id }: { slug: string | undefined; id: string | undefined }) {
  const about = useAbout();
  const type = slug === undefined ? undefined : typeNamed(about, slug);
  useTitle(id ? undefined : (type?.title ?? 'Records'));
  if (!slug) return <Chooser />;
  if (!type) {
    return (
      <Empty title={`There is no record type ${slug}.`}>
        <Link to="records">See those there are</Link>
      </Empty>
    );
  }
  return (
    <NeedsKey reason={`To look at ${type.title} records.`}>
      {(key) =>
        id || type.kind === 'singleton' ? (
          <RecordPage key={id} type={type} id={id ?? `${type.slug}_default`} recordKey={key} about={about} />
        ) : (
          <RecordList key={slug} type={type} recordKey={key} />
        )
      }
    </NeedsKey>
  );
}

function Chooser() {
  const about = useAbout();
  return (
    <>
      <h1>Records</h1>
      <p className="lead">Which of them do you want to look at?</p>
      <section className="areas" aria-label="Record types">
        {areasOf(about).map(({ name, types }) => (
          <article key={name} className="card area">
            <h2>{areaTitle(name)}</h2>
            <ul>
              {types
                .filter(({ kind }) => kind !== 'child')
                .map(({ slug, title }) => (
                  <li key={slug}>
                    <Link to={`records/${slug}`}>{title}</Link>
                  </li>
                ))}
            </ul>
          </article>
        ))}
      </section>
    </>
  );
}
