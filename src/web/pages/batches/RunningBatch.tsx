import { batchProgress, needYouWords, waitsForPerson } from '#src/shared/batches/batchWords.ts';
import { numberWords } from '#src/shared/text.ts';
import { useNewestBatches } from '#src/web/api/batches.ts';

/** In the navigation: the progress of the running batch, else the number of paused ones. */
export function RunningBatch() {
  const batches = useNewestBatches();
  const running = batches.find(({ state }) => state === 'running');
  const paused = batches.filter(waitsForPerson).length;
  if (running === undefined)
    return paused > 0 && <span className="tab-open whitespace-nowrap">{numberWords(paused)} paused</span>;
  const { accepted, lines, needYou } = batchProgress(running);
  return (
    <span className={`tab-open whitespace-nowrap ${needYou > 0 ? '' : 'text-motion'}`}>
      {numberWords(accepted)} of {numberWords(lines)}
      <span className="vh"> accepted</span>
      {needYou > 0 && <span className="vh">, {needYouWords(needYou)}</span>}
    </span>
  );
}
