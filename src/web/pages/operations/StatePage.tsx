import type { ReactNode } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { useSession } from '#src/web/api/session.ts';
import { draftName, readDraft } from '#src/web/storage/drafts.ts';
import { locationState, readLocationState } from '#src/web/storage/locationState.ts';
import { type OperationKind, START_PATHS } from '#src/shared/operations/kind.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import type { StateMark } from '#src/shared/operations/states.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';
import { usePaymentNames } from '#src/web/list/paymentNames.ts';
import type { Operation } from '#src/shared/operations/record.ts';
import { paths } from '#src/shared/paths.ts';
import { Button, buttonClass } from '#src/web/ui/Button.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { PageFrame } from '#src/web/ui/PageHeader.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { LiveStatus, verdictClass } from '#src/web/ui/Verdict.tsx';
import './operations.css';

interface StatePageProps {
  title: string;
  linked?: boolean;
  tone?: 'open' | 'motion' | undefined;
  /** The operation's key, for pages that have nothing else to identify it by. */
  operationKey?: string;
  above?: ReactNode;
  below?: ReactNode;
  children: ReactNode;
}

export function StatePage({ title, linked = false, tone, operationKey, above, below, children }: StatePageProps) {
  return (
    <PageFrame title={title} actions={linked && <Link to={paths.operations}>All operations</Link>}>
      {above}
      <section className={verdictClass(tone)} aria-label="State">
        {children}
        {operationKey !== undefined && (
          <p className="small sub mono">
            <UntrustedText value={operationKey} max={80} />
          </p>
        )}
      </section>
      {below}
    </PageFrame>
  );
}

export function AllOperations({ quiet = false }: { quiet?: boolean }) {
  return (
    <Link className={buttonClass(quiet ? 'quiet' : 'plain')} to={paths.operations}>
      All operations
    </Link>
  );
}

interface ArrivalNoticeProps {
  tone: 'open' | 'alarm' | 'plain';
  title: string;
  children: ReactNode;
}

/** A notice above the status. `plain` ones are permanent, so they are not announced. */
export function ArrivalNotice({ tone, title, children }: ArrivalNoticeProps) {
  return (
    <div className="px-gutter pb-3">
      <Notice tone={tone} title={title} live={tone !== 'plain'}>
        {children}
      </Notice>
    </div>
  );
}

interface ExistingOperationNoticeProps {
  /** Null if it can't be read. */
  record: Operation | null;
  isResolved: boolean;
}

/** For a person whose form led here instead of sending: the reason, and a way back once this operation is resolved. */
export function ExistingOperationNotice({ record, isResolved }: ExistingOperationNoticeProps) {
  const { instead: kind } = readLocationState(useLocation().state);
  const session = useSession();
  const nameOf = usePaymentNames();
  if (kind === undefined) return null;
  const sent = record?.state === 'unconfirmed' ? withdrawalFieldsOf(record) : null;
  const draft = readDraft(draftName(session, kind));
  return (
    <BlockedNotice
      kind={kind}
      resolved={!isResolved ? 'no' : record?.state === 'succeeded' ? 'accepted' : 'yes'}
      to={sent && nameOf({ kind: 'withdrawal', id: '', ...sent })}
      hasDraft={draft !== null && draft.untouched !== true}
    />
  );
}

interface BlockedNoticeProps {
  /** The form's kind. */
  kind: OperationKind;
  /** Whether the blocking operation is resolved. */
  resolved: 'no' | 'yes' | 'accepted';
  /** "to Acme Hosting", for an unconfirmed withdrawal that blocks it. */
  to: string | null;
  /** False once the draft was sent or cancelled. */
  hasDraft: boolean;
}

export function BlockedNotice({ kind, resolved, to, hasDraft }: BlockedNoticeProps) {
  const what = KIND[kind].pays ? 'payment' : KIND[kind].one;
  if (resolved !== 'no')
    return hasDraft && <ReturnToDraft kind={kind} isAccepted={resolved === 'accepted'} what={what} />;
  return (
    <ArrivalNotice tone="open" title={`Your new ${what} wasn’t sent.`}>
      {to === null ? `Blocked by this unresolved ${what}.` : `Resolve this one ${to} first.`}
      {hasDraft && ' What you typed is kept.'}
    </ArrivalNotice>
  );
}

interface ReturnToDraftProps {
  kind: OperationKind;
  isAccepted: boolean;
  what: string;
}

function ReturnToDraft({ kind, isAccepted, what }: ReturnToDraftProps) {
  const navigate = useNavigate();
  return (
    <div className="px-gutter pb-3">
      <Notice tone="plain" live title={isAccepted ? 'This one was accepted.' : 'This one is resolved.'}>
        Your new {what} wasn’t sent then.{isAccepted && ' If it is the same one, don’t send it again.'}
        <div className="acts-row pt-2">
          <Button
            variant={isAccepted ? 'plain' : 'primary'}
            onClick={() => void navigate(START_PATHS[kind], { state: locationState({ resume: true }) })}
          >
            Continue your draft
          </Button>
        </div>
      </Notice>
    </div>
  );
}

interface Accepted {
  one: string;
  /** The service's id of the result. */
  id: string | null;
  mark: StateMark;
}

/** Shown if rendering an accepted operation throws: says from the record alone that it was accepted. */
export function acceptedAnyway(accepted: Accepted | null, error: unknown) {
  // Not accepted: leave it to the route's error page.
  if (accepted === null) throw error;
  return (
    <section className={verdictClass(accepted.mark.tone)} aria-label="State">
      <LiveStatus mark={accepted.mark}>
        <b>The provider has accepted this {accepted.one}</b>
        {accepted.id !== null && (
          <>
            {' '}
            as{' '}
            <span className="mono" translate="no">
              {accepted.id}
            </span>
          </>
        )}
        . Its details could not be shown here; do not send it again.
      </LiveStatus>
    </section>
  );
}
