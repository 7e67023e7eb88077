import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { Activity, ActivityFilters } from '#src/shared/contract/activityContract.ts';
import { csvHead, csvRow } from '#src/shared/files/csv.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { isoUtc } from '#src/shared/time.ts';
import { readAllActivity } from '#src/web/api/activity.ts';
import { useSession } from '#src/web/api/session.ts';
import { announce } from '#src/web/ui/announce.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { saveFile } from '#src/web/ui/saveFile.ts';
import { activityText } from './activityText.ts';

const HEAD = ['time_utc', 'by', 'person_id', 'kind', 'what', 'reason', 'subject', 'facts'];

function lineOf(entry: Activity): string {
  const { text, words = '' } = activityText(entry, false);
  const { at, who, person, kind, subject, facts } = entry;
  return csvRow([isoUtc(at), who ?? '', person ?? '', kind, text, words, subject ?? '', stringifyExact(facts)]);
}

interface ExportActivityProps {
  filters: ActivityFilters;
  disabledReason: string | undefined;
}

/** Saves all entries that match the filters, not only the loaded ones. */
export function ExportActivity({ filters, disabledReason }: ExportActivityProps) {
  const { account } = useSession();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const entries = await readAllActivity(account, filters);
      saveFile(`activity-${isoUtc(Date.now() / 1000).slice(0, 10)}.csv`, [csvHead(HEAD), ...entries.map(lineOf)]);
    },
    onError: () => announce('The activity couldn’t be exported.'),
  });
  return (
    <>
      {error && <span className="small text-alarm">Couldn’t be exported. {error.message}</span>}
      <Button
        icon={<Download aria-hidden />}
        disabledReason={isPending ? 'Loading' : disabledReason}
        reasonHidden
        onClick={() => mutate()}
      >
        Export CSV
      </Button>
    </>
  );
}
