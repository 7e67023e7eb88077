import type { NoticeCause } from '#src/server/activity/raiseNotice.ts';
import type { Batch } from '#src/server/operations/ports.ts';

/** What people are told of a change of a batch; null: nothing. What a person did themselves is before their eyes. */
export function noticeOfBatch(
  next: Pick<Batch, 'id' | 'state' | 'why' | 'revision'>,
  before: Pick<Batch, 'state'>,
): Pick<NoticeCause, 'event' | 'subject' | 'episode'> | null {
  if (before.state !== 'running') return null;
  const of = { subject: next.id, episode: String(next.revision) };
  if (next.state === 'done') return { event: 'batch.done', ...of };
  return next.state === 'paused' && next.why !== 'person' ? { event: 'batch.paused', ...of } : null;
}
