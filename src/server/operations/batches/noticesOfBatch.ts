import type { NoticeCause } from '#src/server/activity/raiseNotice.ts';
import type { Batch } from '#src/server/operations/ports.ts';

/** The notices that a change of a batch raises. A person who stops a batch needs no notice of it. */
export function noticesOfBatch(
  next: Pick<Batch, 'id' | 'state' | 'why' | 'revision'>,
  before: Pick<Batch, 'state'>,
): Pick<NoticeCause, 'event' | 'subject' | 'episode'>[] {
  if (before.state !== 'running') return [];
  const cause = { subject: next.id, episode: String(next.revision) };
  if (next.state === 'done') return [{ event: 'batch.done', ...cause }];
  if (next.state !== 'paused' || next.why === 'person') return [];
  const paused = { event: 'batch.paused' as const, ...cause };
  return next.why === 'unapproved' ? [paused, { event: 'batch.awaiting', ...cause }] : [paused];
}
