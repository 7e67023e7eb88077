import { Download } from 'lucide-react';
import { useSession } from '#src/api/session.ts';
import { saveFile } from '#src/ui/saveFile.ts';
import type { CheckNote } from '#src/api/gatewayContract.ts';
import type { Operation } from '#src/lib/operations/record.ts';
import { Button } from '#src/ui/Button.tsx';
import { CopyText } from '#src/ui/CopyButton.tsx';
import { evidenceJson, evidenceName, evidenceText } from './evidence.ts';

/** Everything recorded of it, to be handed to support. */
export function EvidencePart({ record, checks }: { record: Operation; checks: readonly CheckNote[] }) {
  const { service, account } = useSession();
  const of = { record, checks, service, account };
  const json = () => evidenceJson(of, Date.now());
  return (
    <section aria-labelledby="evidence">
      <h2 id="evidence">Evidence</h2>
      <div className="in-pad">
        <p className="sub small">
          Key, bytes, every attempt and every recent check, with request ids, in UTC. No API key is in it.
        </p>
        <div className="acts-row">
          <CopyText label="Copy evidence" text={() => evidenceText(of)} />
          <CopyText label="Copy as JSON" text={json} />
          <Button
            icon={<Download aria-hidden />}
            onClick={() => saveFile(evidenceName(record.key), [json()], 'application/json')}
          >
            Save as a file
          </Button>
        </div>
      </div>
    </section>
  );
}
