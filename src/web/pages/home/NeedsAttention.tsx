import { can } from '#src/web/api/permissions.ts';
import { CircleCheck, CircleQuestionMark } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { describeError, isFromElsewhere } from '#src/web/api/errors.ts';
import { useNeededFromMe } from '#src/web/api/approvals.ts';
import { useNoticeProblems } from '#src/web/api/notices.ts';
import { useSession } from '#src/web/api/session.ts';
import { listInWords } from '#src/shared/text.ts';
import { formatClock, lasting } from '#src/shared/time.ts';
import { ErrorLine } from '#src/web/list/StaleBar.tsx';
import { StillLoading } from '#src/web/list/StillLoading.tsx';
import { usePaymentNames } from '#src/web/list/paymentNames.ts';
import { useAmountsHidden } from '#src/web/ui/Amount.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { useReturnFocus } from '#src/web/ui/focus.ts';
import { deferred, useDelay } from '#src/web/ui/useLoaded.ts';
import { useZone } from '#src/web/ui/Time.tsx';
import { type Check, checkedWords } from './checks.ts';
import { approvalLines, type AttentionLine, attentionLine, noticeLines } from './attentionLine.tsx';
import { AttentionLines } from './AttentionLines.tsx';
import type { HomeData } from './useHome.ts';
import { useMarkHandled } from './useMarkHandled.tsx';

interface NeedsAttentionProps {
  home: HomeData;
  isReady: boolean;
  /** Some checks are still loading. */
  isChecking: boolean;
}

/**
 * What needs a person, most urgent first, or, if nothing does, what was checked. Shown only when all of it is loaded or
 * loading takes too long. Later lines would push the page down, so they wait for a click. A guess only reserves its space.
 */
export function NeedsAttention({ home, isReady, isChecking }: NeedsAttentionProps) {
  const session = useSession();
  const { markHandled, notice } = useMarkHandled();
  const name = usePaymentNames();
  const amountsHidden = useAmountsHidden();
  const { attention, guesses } = home;
  const problems = noticeLines(useNoticeProblems());
  const found = attention.map((each) => ({
    ...attentionLine(each, { name, markHandled, amountsHidden, can: (ability) => can(session, ability) }),
    isGuess: guesses.has(each),
  }));
  const approvals = approvalLines(useNeededFromMe(), name);
  // Operations come first: they may have been sent without anyone knowing.
  const urgent = attention.filter(({ kind }) => kind === 'operation').length;
  const all = [...found.slice(0, urgent), ...approvals.map(certain), ...found.slice(urgent), ...problems.map(certain)];
  const { lines, late, showLate } = useLateLines(all, isReady, isChecking);
  const isMore = lines.some(({ isGuess }) => !isGuess);
  return (
    <section className="reg" aria-label="Needs attention" tabIndex={-1} data-takes-focus>
      {isReady && lines.length > 0 && <AttentionLines title="Needs attention" when="Waiting" all={lines} />}
      {notice}
      <Checked
        home={home}
        hasNothing={all.length === 0}
        late={late > 0 && <Late count={late} isMore={isMore} onShow={showLate} />}
      />
    </section>
  );
}

type Line = AttentionLine & { isGuess: boolean };

function certain(line: AttentionLine): Line {
  return { ...line, isGuess: false };
}

/** The lines that the page was first drawn with, and how many came later. Guesses aren't counted, because they may be wrong. */
function useLateLines(all: readonly Line[], isReady: boolean, isChecking: boolean) {
  const [drawn, setDrawn] = useState<ReadonlySet<string> | 'nothing' | 'all'>('nothing');
  if (drawn === 'nothing' && isReady) setDrawn(isChecking ? new Set(all.map(({ key }) => key)) : 'all');
  const lines = typeof drawn === 'string' ? all : all.filter(({ key }) => drawn.has(key));
  const late = all.filter((line) => !line.isGuess && !lines.includes(line)).length;
  return { lines, late, showLate: () => setDrawn('all') };
}

function Late({ count, isMore, onShow }: { count: number; isMore: boolean; onShow: () => void }) {
  return (
    <>
      <b>
        {count} {isMore && 'more '}
        {count === 1 ? 'needs' : 'need'} attention.
      </b>{' '}
      <Button size="small" className="-my-1" onClick={onShow}>
        Show
      </Button>
    </>
  );
}

const CHECKED =
  'flex min-h-10 flex-wrap items-start gap-x-2 gap-y-1 border-t border-rule px-gutter py-2 text-ink-2 [.att+&]:border-t-0 [.att+&]:text-small [&_b]:text-ink [&>.lucide]:mt-0.5 [&>:is(output,div)]:flex-[1_1_16rem] [&>:is(output,div)]:wrap-anywhere';
const OPEN = '[&>.lucide]:text-open';

/** What was checked and when, or why it could not be. "All clear" is shown only after a complete check. */
function Checked({ home, hasNothing, late }: { home: HomeData; hasNothing: boolean; late: ReactNode }) {
  const { guesses, checks, hours, usual, ledger } = home;
  const zone = useZone();
  const failed = checks.filter(({ state }) => state === 'failed');
  const isLoading = guesses.size > 0 || checks.some(({ state }) => state === 'loading');
  const slow = useDelay(isLoading, 600);
  const partly = checks.filter(({ state }) => state === 'partly');
  const times = checks.flatMap(({ readAt }) => readAt ?? []);
  const at = times.length === 0 ? '' : ` ${hour(Math.min(...times), zone)}`;
  if (failed.length > 0) return <NotChecked failed={failed} home={home} late={late} />;
  if (isLoading || late !== false) {
    return (
      <div className={late === false ? CHECKED : `${CHECKED} ${OPEN}`} key="loading">
        {late !== false && <CircleQuestionMark aria-hidden />}
        <div className="grid *:[grid-area:1/1]">
          <output>
            {late === false ? (
              <StillLoading what="payments and balances">
                {slow ? 'Checking payments and balances…' : '\u00a0'}
              </StillLoading>
            ) : (
              late
            )}
          </output>
          <Reserved />
        </div>
      </div>
    );
  }
  const isPart = partly.length > 0;
  const isClear = !isPart && hasNothing;
  return (
    <div className={isPart ? `${CHECKED} ${OPEN}` : CHECKED}>
      {isPart && <CircleQuestionMark aria-hidden />}
      {isClear && <CircleCheck aria-hidden className="text-proof" />}
      <output>
        {isClear && <b>All clear. </b>}Checked{at}: {checkedWords(checks)}.
        {isPart && ` Not everything could be checked: ${listInWords(partly.map(({ what }) => what))}.`}
        {ledger.moved === null &&
          ledger.error !== null &&
          !ledger.notOffered &&
          ` The ledger didn’t load, so a payment counts as stuck after ${lasting(hours * 3600)}.`}
      </output>
      <How hours={hours} usual={usual} />
    </div>
  );
}

/** Reserves the space of the result while it loads. */
function Reserved() {
  return (
    <span className="invisible" aria-hidden>
      All clear. Checked 00:00 UTC: 00 deposits in progress, 00 withdrawals in progress and 0 balances.
    </span>
  );
}

interface NotCheckedProps {
  failed: readonly Check[];
  home: HomeData;
  late: ReactNode;
}

/** Why something could not be checked, with a retry button. */
function NotChecked({ failed, home: { refetch, isFetching }, late }: NotCheckedProps) {
  const zone = useZone();
  const part = useRef<HTMLDivElement>(null);
  useReturnFocus(part);
  const reasonOf = (check: Check) => `${whyOf(check)}, ${hour(describeError(check.error).at, zone)}`;
  const reasons = [...new Set(failed.map(reasonOf))];
  return (
    <div className={`${CHECKED} ${OPEN}`} ref={part}>
      <CircleQuestionMark aria-hidden />
      <div>
        {late !== false && <output className="mb-2 block">{late}</output>}
        <output>
          <b>Can’t check right now:</b>{' '}
          {reasons
            .map((reason) => {
              const parts = failed.filter((check) => reasonOf(check) === reason).map(({ what }) => what);
              return `${listInWords(parts)} didn’t load (${reason})`;
            })
            .join('; ')}
          .
        </output>{' '}
        <Button size="small" onClick={refetch} disabledReason={isFetching ? 'Loading' : undefined} reasonHidden>
          Retry
        </Button>
        <p className="small dim">
          <ErrorLine error={failed[0]?.error} />
        </p>
      </div>
    </div>
  );
}

const HowDetected = deferred(() => import('./HowDetected.tsx').then((read) => read.HowDetected));

function How(props: Pick<HomeData, 'hours' | 'usual'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="small open:order-1 open:grid open:basis-full open:gap-2 open:pt-1 open:pb-3 [&_.field]:max-w-80 [&>p]:max-w-measure"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>How we detect this</summary>
      {isOpen && <HowDetected {...props} />}
    </details>
  );
}

function hour(unix: number, zone: ReturnType<typeof useZone>): string {
  return `${formatClock(unix, zone).slice(0, 5)}${zone === 'utc' ? ' UTC' : ''}`;
}

function whyOf({ error }: Check): string {
  if (isFromElsewhere(error)) return 'something else responded';
  const { status, code, heading } = describeError(error);
  if (status === null) return heading.endsWith('didn’t respond in time') ? 'no response in time' : 'no connection';
  return [status, code].filter((part) => part !== null).join(' ');
}
