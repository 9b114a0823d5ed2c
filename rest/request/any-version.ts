import { whenResolved } from '../../src/common/maybe-promise.js';
import type { HandleRest } from '../admit.js';

/**
 * Wraps the handler so that `If-Match` may list several versions, any of which may match (RFC 9110, 13.1.1). A write
 * takes only one expected version, so this tries the first; if it is refused, the refusal holds the current version,
 * which is tried if it is in the list.
 */
export function anyVersion(handle: HandleRest): HandleRest {
  return (request, context) => {
    const { 'if-match': tags } = request.headers;
    if (!tags?.includes(',')) return handle(request, context);
    const [first = '', ...others] = tags.split(',').map((tag) => tag.trim());
    const left = new Set(others);
    const attempt = (tag: string): ReturnType<HandleRest> =>
      whenResolved(handle({ ...request, headers: { ...request.headers, 'if-match': tag } }, context), (answer) => {
        const { ETag: present = '' } = answer.headers;
        return answer.status === 412 && left.delete(present) ? attempt(present) : answer;
      });
    return attempt(first);
  };
}
