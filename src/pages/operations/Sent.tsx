import { ClipboardCopy } from 'lucide-react';
import { readWithdrawalBody } from '#src/operations/body.ts';
import type { OperationRecord } from '#src/operations/record.ts';
import { announce } from '#src/ui/announce.tsx';
import { Amount } from '#src/ui/Amount.tsx';
import { Button } from '#src/ui/Button.tsx';
import { Chunks } from '#src/ui/Chunks.tsx';
import { copyText } from '#src/ui/copy.ts';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { mayHaveLeft } from './attemptWords.ts';
import { evidenceOf } from './evidence.ts';

/** The recorded bytes and their key, to be read and copied; nothing here can be edited. */
export function Sent({ record }: { record: OperationRecord }) {
  const sent = readWithdrawalBody(record.body);
  const bytes = new TextEncoder().encode(record.body).length;
  const copy = async () => {
    announce((await copyText(evidenceOf(record))) ? 'Copied' : 'This browser does not allow copying');
  };
  return (
    <section aria-labelledby="sent">
      <h2 id="sent">{mayHaveLeft(record) ? 'What was sent' : 'What would be sent'}</h2>
      <div className="in-pad">
        <Facts>
          {sent && (
            <>
              <Fact label="Amount">
                <Amount value={sent.amount} asset={sent.asset} readBack />
              </Fact>
              <Fact label="To" action={<CopyButton value={sent.address} label="Copy address" />}>
                <Chunks value={sent.address} />
              </Fact>
              <Fact label="Chain">
                <RawText value={sent.chain} max={80} />
              </Fact>
            </>
          )}
          <Fact label="Key" mono action={<CopyButton value={record.key} label="Copy key" />}>
            {record.key}
          </Fact>
          <Fact label="Request" mono>
            POST {record.path}
          </Fact>
          <Fact label="Body">
            <details>
              <summary>{bytes} bytes, unchanged</summary>
              <pre className="code">{record.body}</pre>
            </details>
          </Fact>
        </Facts>
        <p className="sub small">
          Nothing here can be edited: every attempt uses the same key and the same bytes, so that the service carries it
          out at most once.
        </p>
        <div className="acts-row">
          <Button icon={<ClipboardCopy aria-hidden />} onClick={() => void copy()}>
            Copy evidence
          </Button>
        </div>
      </div>
    </section>
  );
}
