import { Link, useNavigate } from 'react-router';
import type { LookAlikes, NotSent as Tombstone } from '#src/api/gatewayContract.ts';
import { type Start, draftState } from '#src/api/startOperation.ts';
import { START_PATHS } from '#src/lib/operations/kind.ts';
import { KIND } from '#src/lib/operations/kinds.ts';
import { paths } from '#src/lib/paths.ts';
import { visible } from '#src/lib/text.ts';
import { Button, buttonClass } from '#src/ui/Button.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { StateChip } from '#src/ui/StateChip.tsx';
import { Said } from './Said.tsx';

const NOT_SENT = { tone: 'plain', icon: 'slash', chip: 'Not sent' } as const;

interface NotSentProps {
  /** The operation's key. */
  address: string;
  told: { notSent: Tombstone; message: string | null; lookAlikes: LookAlikes | null };
  /** What this page started under the key; without it there is nothing typed to go back to. */
  start?: Start;
}

/** A tombstone: the server says that nothing was sent under this key, and that nothing will be. */
export function NotSent({ address, told, start }: NotSentProps) {
  const navigate = useNavigate();
  const { notSent, message } = told;
  const isRefused = notSent.why === 'invalid' && message !== null;
  return (
    <>
      <PageHeader
        title={start ? `${KIND[start.kind].title} not sent` : 'Not sent'}
        actions={<Link to={paths.operations}>All operations</Link>}
      />
      <div className="page-body">
        <section className="verdict" aria-label="State">
          <Said>
            <StateChip mark={NOT_SENT} />
            <p>
              <b>Nothing was sent.</b> {WHY[notSent.why]}
              {isRefused && ` ${visible(message)}`}
            </p>
          </Said>
          <p className="small sub">
            Nothing will be sent under its key any more:{' '}
            <span className="mono">
              <RawText value={address} max={80} />
            </span>
          </p>
          <div className="acts-row">
            {start && (
              <Button
                variant="primary"
                onClick={() => void navigate(START_PATHS[start.kind], { replace: true, state: draftState(start) })}
              >
                Back to the form
              </Button>
            )}
            <Link className={buttonClass()} to={paths.operations}>
              All operations
            </Link>
          </div>
        </section>
      </div>
    </>
  );
}

const WHY: Record<Tombstone['why'], string> = {
  discarded: 'It was discarded before it was recorded.',
  'too-late': 'It reached the server more than two minutes after it was reviewed.',
  invalid: 'The server doesn’t send such a request.',
  'look-alike': 'Another one for the same came first. Review it again to see that one.',
};
