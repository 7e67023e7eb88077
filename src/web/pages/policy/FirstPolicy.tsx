import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { isAmount } from '#src/shared/amount.ts';
import { revealHidden, visibleCode } from '#src/shared/text.ts';
import { typedAmount } from '#src/shared/typedAmount.ts';
import { balanceQueries } from '#src/web/api/balances.ts';
import { useSession } from '#src/web/api/session.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { useReturnFocus } from '#src/web/ui/focus.ts';
import { firstDraft, type PolicyDraft, usualLimit } from './draft.ts';
import { LimitField } from './LimitField.tsx';
import { Part } from './parts.tsx';

const ANSWERS = [
  { approvals: 0, title: 'I work alone', text: 'No payment needs approval.' },
  { approvals: 1, title: 'Another person approves payments above …', text: 'Smaller ones need no approval.' },
  { approvals: 2, title: 'Two people approve payments above …', text: 'Smaller ones need no approval.' },
] as const;

/** Maximum number of assets offered here; more can be added in the next step. */
const ASSETS_MAX = 12;

interface FirstPolicyProps {
  refusal: string | undefined;
  onDraft: (draft: PolicyDraft) => void;
}

/** Three suggestions for a first policy, each of which opens the editor. */
export function FirstPolicy({ refusal, onDraft }: FirstPolicyProps) {
  const { account } = useSession();
  const { data } = useQuery(balanceQueries.list(account));
  const [approvals, setApprovals] = useState(0);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [isTried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useReturnFocus(form);
  const assets = (data?.balances ?? []).flatMap(({ asset, total }) => {
    const usual = isAmount(total) ? usualLimit(total) : null;
    return usual === null ? [] : [{ asset, text: typed[asset] ?? usual }];
  });
  const asked = approvals === 0 ? [] : assets.slice(0, ASSETS_MAX);
  const faultOf = (text: string) => {
    const read = typedAmount(text);
    return text.trim() === '' || read.ok ? undefined : read.reason;
  };
  const next = (event: FormEvent) => {
    event.preventDefault();
    if (asked.some(({ text }) => faultOf(text) !== undefined)) return setTried(true);
    const limits = asked.flatMap(({ asset, text }): [string, string][] => {
      const read = typedAmount(text);
      return read.ok ? [[asset, read.amount]] : [];
    });
    onDraft(firstDraft(approvals, new Map(limits)));
  };
  return (
    <Part title="Who approves payments?" text="You see the rules in full, and can change them, before anything counts.">
      <form className="grid gap-5" noValidate onSubmit={next} ref={form}>
        <fieldset className="grid gap-3">
          <legend className="vh">Who approves payments?</legend>
          {ANSWERS.map((answer) => (
            <label key={answer.approvals} className="check">
              <input
                type="radio"
                name="answer"
                checked={answer.approvals === approvals}
                onChange={() => setApprovals(answer.approvals)}
              />
              <span>
                {answer.title}
                <span className="small sub block">{answer.text}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {asked.length > 0 && (
          <fieldset className="grid grid-cols-[repeat(auto-fill,minmax(14rem,1fr))] gap-4">
            <legend className="pb-2">
              <span className="font-semibold">Above which amount?</span>{' '}
              <span className="small sub">Leave one empty if each of its payments needs approval.</span>
            </legend>
            {asked.map(({ asset, text }) => (
              <LimitField
                key={asset}
                label={revealHidden(asset)}
                suffix={visibleCode(asset)}
                text={text}
                error={isTried ? faultOf(text) : undefined}
                onText={(changed) => setTyped({ ...typed, [asset]: changed })}
              />
            ))}
          </fieldset>
        )}
        <div>
          <Button type="submit" variant="primary" disabledReason={refusal}>
            Continue
          </Button>
        </div>
      </form>
    </Part>
  );
}
