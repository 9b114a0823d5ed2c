import { typeCalled } from '../../../about.js';
import { AboutShown, useAbout } from '../../api/graphql.js';
import { Areas } from '../../overview/overview.js';
import { lastSeen, useTitle } from '../../router.js';
import { NeedsKey } from '../../session/sign-in.js';
import { useAboutShown, useMay } from '../../session/viewer.js';
import { Empty, Link } from '../../ui/controls.js';
import { later } from '../../ui/later.js';
import { RecentRecords, useSeen } from './recent.js';
import { RecordList } from './record-list.js';

const NewRecord = later(async () => (await import('../form/new-record.js')).NewRecord);
const RecordPage = later(async () => (await import('../record/record-page.js')).RecordPage);

/** The records: which types there are, the records of one, or one record; with no field that is hidden from the user. */
export const RecordsPage = (props: Parameters<typeof ShownRecords>[0]) => (
  <AboutShown value={useAboutShown()}>
    <ShownRecords {...props} />
  </AboutShown>
);

function ShownRecords({ slug, id }: { slug: string | undefined; id: string | undefined }) {
  const about = useAbout();
  const type = slug === undefined ? undefined : typeCalled(about, slug);
  useTitle(id ? undefined : (type?.title ?? 'Records'));
  useSeen(type, id === 'new' ? undefined : id);
  if (!slug) return <Chooser />;
  if (!type) {
    return (
      <Empty title={`There is no record type ${slug}.`}>
        <Link to="records">See those there are</Link>
      </Empty>
    );
  }
  const shown = id ?? type.onlyId;
  if (id === 'new') {
    return <NeedsKey reason={`To make a ${type.title}.`}>{() => <NewRecord key={type.slug} type={type} />}</NeedsKey>;
  }
  return (
    <NeedsKey reason={`To look at ${type.title} records.`}>
      {() => (shown ? <RecordPage key={id} type={type} id={shown} /> : <RecordList key={slug} type={type} />)}
    </NeedsKey>
  );
}

function Chooser() {
  const { types } = useAbout();
  const may = useMay();
  const mayNot = types.filter((type) => type.kind !== 'child' && may(type, 'READ') === false).length;
  return (
    <>
      <h1>Records</h1>
      <p className="lead">Which of them do you want to look at?</p>
      <RecentRecords />
      <Areas
        item={(type) =>
          type.kind !== 'child' &&
          may(type, 'READ') !== false && (
            <li key={type.slug}>
              <Link to={lastSeen(`records/${type.slug}`)}>{type.title}</Link>
            </li>
          )
        }
      />
      {mayNot > 0 && (
        <p className="soft">
          {mayNot === 1 ? 'One other record type is' : `${mayNot} other record types are`} not listed, which you may not
          read. What you may do stands at your name, above.
        </p>
      )}
    </>
  );
}
