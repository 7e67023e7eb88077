import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import type { OperationView } from '#src/shared/contract/gatewayContract.ts';
import { useSession } from '#src/web/api/session.ts';
import { useAmountsHidden } from '#src/web/ui/Amount.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { CopyButton, CopyText } from '#src/web/ui/CopyButton.tsx';
import { Fact, Facts } from '#src/web/ui/Facts.tsx';
import { saveFile } from '#src/web/ui/saveFile.ts';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { counted } from '#src/shared/text.ts';
import { evidenceJson, evidenceName, evidenceText } from '#src/shared/operations/evidenceFiles.ts';

interface EvidenceProps {
  view: Pick<OperationView, 'operation' | 'checks' | 'approved' | 'stopped'>;
  children?: ReactNode;
}

export function Evidence({ view: { operation: record, checks, approved, stopped }, children }: EvidenceProps) {
  const { service, account } = useSession();
  const hidden = useAmountsHidden();
  const of = { record, checks, approved, stopped, service, account };
  const json = () => evidenceJson(of, Date.now());
  const bytes = new TextEncoder().encode(record.body).length;
  return (
    <details className="mt-4 border-y border-rule py-2">
      <summary>
        <b>Evidence</b> · {counted(record.attempts.length, 'attempt', 'attempts')}, Idempotency-Key, request body
      </summary>
      <div className="grid grid-cols-1 gap-4 [&_.in-pad]:px-0 [&_h2]:px-0">
        {children}
        <Facts>
          <Fact label="Idempotency-Key" mono action={<CopyButton value={record.key} label="Copy key" />}>
            {record.key}
          </Fact>
          <Fact label="Request" mono>
            POST <UntrustedText value={record.path} max={200} />
          </Fact>
          <Fact label="Request body">
            {hidden ? (
              <span className="sub">{bytes} bytes, hidden, as amounts are</span>
            ) : (
              <pre className="code" translate="no">
                {record.body}
              </pre>
            )}
            <span className="small sub block">{bytes} bytes. Every attempt sends exactly these, under this key.</span>
          </Fact>
        </Facts>
        <div className="acts-row">
          <CopyText size="small" label="Copy evidence" text={() => evidenceText(of)} />
          <CopyText size="small" label="Copy as JSON" text={json} />
          <Button
            size="small"
            icon={<Download className="icon-s" aria-hidden />}
            onClick={() => saveFile(evidenceName(record.key), [json()], 'application/json')}
          >
            Save as a file
          </Button>
        </div>
        <p className="sub small">Every attempt and recent check with request IDs, in UTC. No API key is in it.</p>
      </div>
    </details>
  );
}
