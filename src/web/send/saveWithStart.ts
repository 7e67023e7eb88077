import { pendingStartsSettled } from '#src/web/api/operations/pendingStarts.ts';
import { outcomeUnknown } from '#src/web/api/errors.ts';
import { announce } from '#src/web/ui/announce.tsx';

/**
 * Saves something of the team's beside an operation that was just started. Retried once after the start is answered, as the
 * first request may get lost or come before the record. `what`: "The reference"; `where` it can be added later.
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
