import type { Queries } from '#src/server/database/sql.ts';
import type { AccountOwner } from '#src/server/operations/ports.ts';
import { findReading, PartMissing, readParts } from './jobRows.ts';
import { READING_VERSION } from './monthState.ts';
import { JobStopped } from './pageReader.ts';
import { loadReading, type Reading } from './storedReading.ts';

/** Opens the reading of a finished job. Throws JobStopped if it was deleted or has another version. */
export async function openReading(queries: Queries, owner: AccountOwner, id: string): Promise<Reading> {
  const job = await findReading(queries, owner, id);
  const gone = new JobStopped('moved-on', 'What was read is no longer kept. Load the month again.');
  if (job === null || job.progress.version !== READING_VERSION) throw gone;
  try {
    return await loadReading(readParts(queries, job), job.progress.files);
  } catch (error) {
    throw error instanceof PartMissing ? gone : error;
  }
}
