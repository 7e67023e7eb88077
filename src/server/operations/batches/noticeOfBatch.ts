import type { NoticeCause } from '#src/server/activity/raiseNotice.ts';
import type { Batch } from '#src/server/operations/ports.ts';

/** The notice that a change of a batch raises; null for none. A person who stops a batch needs no notice of it. */
export function noticeOfBatch(
  next: Pick<Batch, 'id' | 'state' | 'why' | 'revision'>,
  before: Pick<Batch, 'state'>,
): Pick<NoticeCause, 'event' | 'subject' | 'episode'> | null {
  if (before.state !== 'running') return null;
  const cause = { subject: next.id, episode: String(next.revision) };
  if (next.state === 'done') return { event: 'batch.done', ...cause };
  return next.state === 'paused' && next.why !== 'person' ? { event: 'batch.paused', ...cause } : null;
}
