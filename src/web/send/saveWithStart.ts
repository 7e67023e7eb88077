import { pendingStartsSettled } from '#src/web/api/operations/pendingStarts.ts';
import { outcomeUnknown } from '#src/web/api/errors.ts';
import { announce } from '#src/web/ui/announce.tsx';

/**
 * Saves a team item that belongs to an operation that was just started. Retries once after the start is answered, because
 * the first request may get lost or arrive before the record. `what`: "The reference"; `where` it can be added later.
 */
export async function saveWithStart(
  save: () => Promise<unknown>,
  { what, where }: { what: string; where: string },
): Promise<void> {
  try {
    await save().catch(() => pendingStartsSettled().then(save));
  } catch (error) {
    announce(
      outcomeUnknown(error)
        ? `${what} may not be saved. Check it on ${where}.`
        : `${what} wasn’t saved. Add it on ${where}.`,
    );
  }
}
