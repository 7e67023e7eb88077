import {
  ArrowUpRight,
  Ban,
  BookOpen,
  Check,
  CircleCheck,
  CircleDot,
  CircleQuestionMark,
  CircleX,
  Clock,
  type LucideIcon,
  Send,
  Undo2,
  UserCheck,
} from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '#src/shared/paths.ts';
import { capital } from '#src/shared/text.ts';
import { formatTime } from '#src/shared/time.ts';
import { Amount } from '#src/web/ui/Amount.tsx';
import { ShortId } from '#src/web/ui/UntrustedText.tsx';
import { useZone } from '#src/web/ui/Time.tsx';
import { ExplorerLink } from './ExplorerLink.tsx';
import type { LedgerMovement } from './ledgerRoles.ts';
import type { TimelineProof, TimelineStep, StepMark } from './timeline.ts';

const ICONS: Record<StepMark, LucideIcon> = {
  saved: CircleDot,
  approved: UserCheck,
  ended: Ban,
  sent: Send,
  lost: CircleQuestionMark,
  accepted: Check,
  motion: Clock,
  chain: ArrowUpRight,
  proof: CircleCheck,
  alarm: CircleX,
  back: Undo2,
  entry: BookOpen,
};
const TONES: Partial<Record<StepMark, string>> = { proof: 'text-proof', alarm: 'text-alarm', lost: 'text-open' };

interface TimelineProps {
  steps: readonly TimelineStep[];
  wide?: boolean;
  /** ID of the page's payment, which proofs need not link to. */
  here: string;
  children?: ReactNode;
}

export function Timeline({ steps, wide = false, here, children }: TimelineProps) {
  const zone = useZone();
  const Heading = wide ? 'h2' : 'h3';
  const texts = steps.map(({ at }) => (at === null ? null : formatTime(at, zone)));
  const days = texts.flatMap((text) => text?.slice(0, -9) ?? []);
  const payment = steps.flatMap(({ proofs }) => proofs).find(({ kind }) => kind === 'payment');
  const source = payment?.kind === 'payment' ? payment.id : here;
  const oneDay = days.every((day) => day === days[0]);
  return (
    <section aria-label="Timeline" className="grid grid-cols-1 gap-3">
      <Heading className="px-0">
        Timeline{' '}
        <span className="small dim font-normal">
          {oneDay && days[0] !== undefined && `${days[0]}, `}
          {zone === 'utc' ? 'UTC' : 'local time'}
        </span>
      </Heading>
      <ol className="grid grid-cols-1">
        {steps.map((step, at) => (
          <StepLine
            key={`${step.what} ${proofKey(step.proofs[0])}`}
            step={step}
            wide={wide}
            here={here}
            source={source}
            time={(oneDay ? texts[at]?.slice(-8) : texts[at]) ?? null}
            line={
              at === steps.length - 1 ? null : step.mark === 'lost' ? 'border-dotted border-rule-strong' : 'border-rule'
            }
          />
        ))}
      </ol>
      {children}
    </section>
  );
}

interface StepLineProps {
  step: TimelineStep;
  wide: boolean;
  here: string;
  source: string;
  time: string | null;
  /** Style of the line to the next step: dotted while the outcome was unknown. */
  line: string | null;
}

function StepLine({ step, wide, here, source, time, line }: StepLineProps) {
  const { at, isSeen, mark, what, more, notes, proofs } = step;
  const Icon = ICONS[mark];
  const columns = wide
    ? 'grid-cols-[4.5rem_1rem_minmax(0,19rem)_minmax(0,1fr)] narrow:grid-cols-[4.5rem_1rem_minmax(0,1fr)]'
    : 'grid-cols-[4rem_1rem_minmax(0,1fr)]';
  return (
    <li className={`relative grid gap-x-2 pb-3 last:pb-0 ${columns}`}>
      <span className="small sub" data-tip-unix={at ?? undefined}>
        {isSeen && 'seen '}
        {time ?? <span className="vh">time not known</span>}
      </span>
      <span className="relative row-span-2">
        {line !== null && (
          <span className={`absolute top-5 -bottom-3 left-[0.4375rem] border-l-2 ${line}`} aria-hidden />
        )}
        <Icon className={`icon-s ${TONES[mark] ?? 'text-ink-3'}`} aria-hidden />
      </span>
      <span className="min-w-0 wrap-anywhere">
        <b className={mark === 'alarm' ? 'text-alarm' : undefined}>{what}</b>
        {more}
        {notes.map((note) => (
          <span key={typeof note === 'string' ? note : `${note.amount} ${note.words}`} className="small sub block">
            {typeof note === 'string' ? note : <Moved {...note} />}
          </span>
        ))}
      </span>
      <span className={`small sub min-w-0 wrap-anywhere ${wide ? 'narrow:col-start-3' : 'col-start-3'}`}>
        {proofs.map((proof, index) => (
          <Fragment key={proofKey(proof)}>
            {index > 0 && ' · '}
            <ProofLink proof={proof} here={here} source={source} />
          </Fragment>
        ))}
      </span>
    </li>
  );
}

function proofKey(proof: TimelineProof): string {
  return Object.values(proof).join(' ');
}

function Moved({ amount, asset, words }: LedgerMovement) {
  return (
    <>
      <Amount value={amount} asset={asset ?? undefined} flow /> {words}
    </>
  );
}

/** One entry, or all entries of the payment. */
function ledgerPath([first = '', ...more]: readonly string[], source: string): string {
  return more.length === 0 ? paths.ledgerEntry(first) : paths.ledger(new URLSearchParams({ source }));
}

interface ProofLinkProps {
  proof: TimelineProof;
  here: string;
  /** ID of the payment whose ledger entries these are. */
  source: string;
}

function ProofLink({ proof, here, source }: ProofLinkProps) {
  switch (proof.kind) {
    case 'operation':
    case 'approval':
    case 'attempt': {
      const what =
        proof.kind !== 'operation' ? (
          <>
            {capital(proof.kind)} {proof.number}
          </>
        ) : (
          <>
            Operation <ShortId value={proof.shown ?? proof.key} />
          </>
        );
      return proof.key === here ? what : <Link to={paths.operation(proof.key)}>{what}</Link>;
    }
    case 'request':
      return proof.id === null ? (
        <>a response without an ID</>
      ) : (
        <>
          Request <ShortId value={proof.id} />
        </>
      );
    case 'payment': {
      const what = <ShortId value={proof.id} />;
      return proof.id === here ? what : <Link to={paths[proof.paymentKind](proof.id)}>{what}</Link>;
    }
    case 'ledger':
      return (
        <>
          Ledger{' '}
          <Link to={ledgerPath(proof.ids, source)}>
            {proof.ids.map((id, at) => (
              <Fragment key={id}>
                {at > 0 && ', '}
                <ShortId value={id} />
              </Fragment>
            ))}
          </Link>
        </>
      );
    case 'hash':
      return (
        <>
          Hash <ShortId value={proof.hash} /> <ExplorerLink chain={proof.chain} kind="transaction" value={proof.hash} />
        </>
      );
  }
}
