import type { ReactNode } from 'react';
import { Loading } from '../ui/notice.js';
import { SignIn } from './sign-in.js';
import { useSession } from './use-session.js';

/** Shows its children to whoever is signed in, and asks everybody else for the key first. */
export function NeedsKey({ reason, children }: { reason: string; children: (key: string) => ReactNode }) {
  const session = useSession();
  if (session.status === 'looking') return <Loading />;
  if (session.status === 'in') return children(session.key);
  return (
    <div className="card narrow">
      <SignIn reason={reason} />
    </div>
  );
}
