import type { Job } from '#src/shared/contract/jobsContract.ts';
import { ExportJobDialog } from '#src/web/export/ExportDialog.tsx';
import { describeFilters } from '#src/web/list/filters/filterTable.ts';
import { FILTERS } from '#src/web/list/filters/listFilters.tsx';
import { useZone } from '#src/web/ui/Time.tsx';

/** The dialog of an export on the page My exports. */
export function ExportJob({ row, onClose }: { row: Job; onClose: () => void }) {
  const scope = describeFilters(row.filters, FILTERS, useZone());
  return <ExportJobDialog job={row} scope={scope} onClose={onClose} />;
}
