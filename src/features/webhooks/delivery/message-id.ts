/**
 * The `webhook-id` of the message about one entry of the journal, `msg_<webhook>_<position>`. It follows from both, so
 * every process and every attempt gives it the same.
 */
export const messageIdOf = (webhookId: string, what: number | string): string => `msg_${webhookId}_${what}`;

/** The position in the id of one of this webhook's messages; undefined for any other text. */
export function positionIn(webhookId: string, messageId: string): number | undefined {
  const start = messageIdOf(webhookId, '');
  const rest = messageId.startsWith(start) ? messageId.slice(start.length) : '';
  return /^[1-9]\d{0,15}$/.test(rest) ? Number(rest) : undefined;
}

/** The id of the message that changes are missing, because the journal no longer holds them. */
export const gapIdOf = (webhookId: string, after: number, until: number): string =>
  messageIdOf(webhookId, `gap_${after}_${until}`);

/** The positions in such an id; undefined for any other. */
export function gapIn(messageId: string): { after: number; until: number } | undefined {
  const [, after, until] = /_gap_(\d{1,16})_(\d{1,16})$/.exec(messageId) ?? [];
  return after === undefined || until === undefined ? undefined : { after: Number(after), until: Number(until) };
}
