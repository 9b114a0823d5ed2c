import { Activity, type ReactNode, useState } from 'react';
import { Loading } from '../ui/notice.js';
import type { Session } from './session.js';
import { SignIn } from './sign-in.js';
import { useSession } from './use-session.js';

/** Whether the gateway has refused the key, while nobody has signed out. */
const wasRefused = (session: Session): boolean => session.status === 'out' && session.problem !== undefined;

/** Shows its children to whoever is signed in, and asks everybody else for the key first. */
export function NeedsKey({ reason, children }: { reason: string; children: (key: string) => ReactNode }) {
  const session = useSession();
  const [last, setLast] = useState<string>();
  const key = session.status === 'in' ? session.key : wasRefused(session) ? last : undefined;
  if (key !== last) setLast(key);
  if (session.status === 'looking') return <Loading />;
  return (
    <>
      {session.status === 'out' && (
        <div className="card narrow">
          <SignIn reason={reason} />
        </div>
      )}
      {/* What somebody has typed when the key ends is kept, out of sight, for the next key. */}
      {key !== undefined && <Activity mode={session.status === 'in' ? 'visible' : 'hidden'}>{children(key)}</Activity>}
    </>
  );
}
