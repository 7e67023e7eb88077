import { Download } from 'lucide-react';
import { saveFile } from '#src/list/saveFile.ts';
import type { CheckNote } from '#src/operations/outcomes.ts';
import type { OperationRecord } from '#src/operations/record.ts';
import { KEPT_SECONDS } from '#src/operations/settling.ts';
import { useOperations } from '#src/operations/useOperations.ts';
import { Button } from '#src/ui/Button.tsx';
import { CopyText } from '#src/ui/CopyText.tsx';
import { Time } from '#src/ui/Time.tsx';
import { evidenceJson, evidenceName, evidenceText } from './evidence.ts';

/** Everything recorded of it, to be handed to support, and for how long this browser keeps it. */
export function EvidencePart({ record, checks }: { record: OperationRecord; checks: readonly CheckNote[] }) {
  const { mayForget } = useOperations();
  const json = () => evidenceJson(record, checks, Date.now());
  return (
    <section aria-labelledby="evidence">
      <h2 id="evidence">Evidence</h2>
      <div className="in-pad">
        <p className="sub small">
          Key, bytes, every attempt and every check of this page, with request ids, in UTC. No API key is in it.
        </p>
        <div className="acts-row">
          <CopyText label="Copy evidence" text={() => evidenceText(record, checks)} />
          <CopyText label="Copy as JSON" text={json} />
          <Button
            icon={<Download aria-hidden />}
            onClick={() => saveFile(evidenceName(record.id), [json()], 'application/json')}
          >
            Save as a file
          </Button>
        </div>
        {record.seenAt !== undefined && (
          <p className="sub small may-forget">
            This browser keeps the record at least until <Time unix={record.seenAt + KEPT_SECONDS} />, 7 days after
            somebody saw it finished.
          </p>
        )}
        {mayForget && (
          <p className="sub small may-forget">
            This browser did not promise to keep its records and may forget them. Save the evidence as a file.
          </p>
        )}
      </div>
    </section>
  );
}
