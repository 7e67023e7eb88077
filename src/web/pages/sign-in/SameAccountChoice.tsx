import { useState } from 'react';
import type { SameAccount } from '#src/web/api/session.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { focusOnMount } from '#src/web/ui/focus.ts';
import { Notice } from '#src/web/ui/Notice.tsx';
import { useZone } from '#src/web/ui/Time.tsx';
import { shortDayWords } from '#src/shared/time.ts';

/** The question about a key that is new here. */
export interface KeyQuestion {
  /** Null if it couldn't be checked whether the key belongs to a known account. */
  found: SameAccount | null;
  isDemo: boolean;
}

interface SameAccountChoiceProps {
  question: KeyQuestion;
  busy: boolean;
  onAnswer: (join: string | false, button: HTMLButtonElement) => void;
}

/** Asked before anything is recorded under the key, because records can't move to another account afterwards. */
export function SameAccountChoice({ question: { found }, busy, onAnswer }: SameAccountChoiceProps) {
  const zone = useZone();
  const [now] = useState(() => Date.now() / 1_000);
  const disabledReason = busy ? 'Waiting for the provider' : undefined;
  return (
    <div ref={focusOnMount} tabIndex={-1} role="group" aria-label="New key" className="grid gap-3">
      {found === null ? (
        <Notice tone="open" title="We couldn’t check which account this key belongs to.">
          The key is new here, and the provider didn’t respond. Sign in again to check once more. Keep it apart only if
          its account was never used here.
        </Notice>
      ) : (
        <Notice
          tone="open"
          title={`This key reads the withdrawals of an account that is known here since ${shortDayWords(found.since, zone, now)}. Is it that account’s new key?`}
        >
          Join it to keep that account’s recipients, notes and statements. Payments that were prepared with another key
          and not sent won’t be sent. This can’t be undone.
        </Notice>
      )}
      <div className="acts-row">
        {found !== null && (
          <Button
            variant="primary"
            disabledReason={disabledReason}
            reasonHidden
            onClick={({ currentTarget }) => onAnswer(found.account, currentTarget)}
          >
            Join
          </Button>
        )}
        <Button
          disabledReason={disabledReason}
          reasonHidden
          onClick={({ currentTarget }) => onAnswer(false, currentTarget)}
        >
          Keep apart
        </Button>
      </div>
    </div>
  );
}
