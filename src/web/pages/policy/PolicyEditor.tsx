import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useLayoutEffect, useRef, useState } from 'react';
import type { PolicyAnswer } from '#src/shared/contract/policyContract.ts';
import type { Policy } from '#src/shared/policy/policy.ts';
import { policyDifferences } from '#src/shared/policy/policyWords.ts';
import { isStricter } from '#src/shared/policy/strictness.ts';
import { whyUnmeetable } from '#src/shared/policy/unmeetable.ts';
import { counted, revealHidden } from '#src/shared/text.ts';
import { balanceQueries } from '#src/web/api/balances.ts';
import { usePersonCommand } from '#src/web/api/people.ts';
import { proposePolicy } from '#src/web/api/policy.ts';
import { useSession } from '#src/web/api/session.ts';
import { PasskeyButton } from '#src/web/list/CommandButton.tsx';
import { announce } from '#src/web/ui/announce.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { focusOnMount, useReturnFocus } from '#src/web/ui/focus.ts';
import { Notice } from '#src/web/ui/Notice.tsx';
import { Select } from '#src/web/ui/Select.tsx';
import { SelectField } from '#src/web/ui/SelectField.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { useNow } from '#src/web/ui/useNow.ts';
import { AssetRules, Fault } from './AssetRules.tsx';
import { hourChoices, RecipientRuleFields } from './RecipientRuleFields.tsx';
import { approvalChoices, type DraftAsset, newAsset, type PolicyDraft, policyOf, unlisted } from './draft.ts';
import { namesOf, Part, PolicyText } from './parts.tsx';
import { undoableUntil } from './undoableUntil.ts';

const NO_FAULTS: ReadonlyMap<string, string> = new Map();
const HOURS = [4, 8, 12, 24, 48, 72, 120, 168];

interface PolicyEditorProps {
  first: PolicyDraft;
  state: PolicyAnswer;
  onClose: () => void;
}

export function PolicyEditor({ first, state, onClose }: PolicyEditorProps) {
  const [draft, setDraft] = useState(first);
  const [tries, setTries] = useState(0);
  const isTried = tries > 0;
  const saving = usePersonCommand(proposePolicy);
  // The versions that the person saw when they began, so that they don't replace a newer one unseen.
  const [{ number, inForce }] = useState({ number: state.newest, inForce: state.in_force?.number });
  const isChanged = state.newest !== number || state.in_force?.number !== inForce;
  const form = useRef<HTMLFormElement>(null);
  useReturnFocus(form);
  const policy = policyOf(draft);
  const unmeetable = isPolicy(policy)
    ? whyUnmeetable(policy, {
        approvers: state.approvers.map(nameOf),
        preparing: state.approvers_who_prepare.map(nameOf),
      })
    : null;
  const isUnchanged = isPolicy(policy) && differencesFrom(state, policy)?.length === 0;
  const faults = isTried && policy instanceof Map ? policy : NO_FAULTS;
  const change = (changes: Partial<PolicyDraft>) => setDraft({ ...draft, ...changes });
  const changeAsset = (changed: DraftAsset) =>
    change({
      assets: draft.assets.map((rule) => (rule.id === changed.id ? changed : rule)),
      others: Math.max(draft.others, changed.above),
    });
  useLayoutEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [tries]);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!isPolicy(policy)) return setTries(tries + 1);
    const isDone = await saving.mutateAsync({ policy, number }).catch(() => null);
    if (!isDone) return;
    announce('Saved');
    onClose();
  };
  return (
    <form className="grid gap-8" noValidate onSubmit={(event) => void save(event)} ref={form}>
      <section className="grid gap-4" aria-label="New rules">
        <div>
          <h2 tabIndex={-1} ref={focusOnMount}>
            New rules
          </h2>
          <p className="small sub">
            Steps are checked from top to bottom. The first step whose limits the payment stays within says how many
            approvals it needs. 24-hour limits count this payment and all that needed that many approvals or fewer. A
            batch counts as one payment.
          </p>
        </div>
        {draft.assets.map((rule) => (
          <AssetRules
            key={rule.id}
            rule={rule}
            faults={faults}
            onChange={changeAsset}
            onRemove={() => change({ assets: draft.assets.filter(({ id }) => id !== rule.id) })}
          />
        ))}
        <AddAsset
          draft={draft}
          onAdd={(asset) => change({ assets: [...draft.assets, newAsset(asset, draft.others)] })}
        />
        <Fault text={faults.get('assets')} />
        <div className="grid grid-cols-2 items-start gap-4 narrow:grid-cols-1">
          <div className="grid gap-1">
            <SelectField
              label={draft.assets.length === 0 ? 'Every payment' : 'Other assets'}
              value={draft.others}
              options={approvalChoices()}
              onChange={(others) => change({ others })}
            />
            <Fault text={faults.get('others')} />
          </div>
          <SelectField
            label="Wait for approvals"
            help="After that the payment is not sent."
            value={draft.hours}
            options={hourChoices(HOURS, draft.hours)}
            onChange={(hours) => change({ hours })}
          />
        </div>
        <RecipientRuleFields rules={draft.recipients} onChange={(recipients) => change({ recipients })} />
      </section>
      {isPolicy(policy) ? (
        <Outcome policy={policy} state={state} isUnchanged={isUnchanged} />
      ) : (
        <p className="sub">Fill in every limit to see the rules in words.</p>
      )}
      <div role="alert" className="empty:hidden">
        {isTried && !isPolicy(policy) && (
          <Fault text={faults.get('policy') ?? 'Some fields above need another value.'} />
        )}
      </div>
      {isChanged && (
        <Notice tone="open" title="Somebody changed the rules meanwhile." live>
          Cancel, and look at them before you change them.
        </Notice>
      )}
      <div className="acts-row items-start">
        <PasskeyButton
          mutation={saving}
          type="submit"
          variant="primary"
          disabledReason={
            isChanged
              ? 'Look at the changed rules first.'
              : isUnchanged
                ? 'Change a rule first.'
                : (unmeetable ?? undefined)
          }
        >
          Sign and save
        </PasskeyButton>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

const nameOf = ({ name }: { name: string }) => revealHidden(name);

function isPolicy(policy: Policy | ReadonlyMap<string, string>): policy is Policy {
  return !(policy instanceof Map);
}

/** The changes from the policy in force, in words; null if no policy is in force. */
function differencesFrom({ in_force: inForce }: PolicyAnswer, policy: Policy): string[] | null {
  return inForce === null ? null : policyDifferences(policy, inForce.policy);
}

/** The whole policy in words, what it changes, and when it takes effect. */
function Outcome({ policy, state, isUnchanged }: { policy: Policy; state: PolicyAnswer; isUnchanged: boolean }) {
  const changes = differencesFrom(state, policy);
  return (
    <>
      <Part title="In words">
        <PolicyText policy={policy} />
      </Part>
      {changes !== null && (
        <Part title="What changes">
          {changes.length === 0 ? (
            <p>Nothing yet.</p>
          ) : (
            <ul className="grid gap-2">
              {changes.map((change) => (
                <li key={change} className="wrap-anywhere">
                  {change}
                </li>
              ))}
            </ul>
          )}
        </Part>
      )}
      {!isUnchanged && (
        <Notice tone="plain" title="When it counts:">
          <WhenItCounts policy={policy} state={state} />
          {state.pending !== null && ' It replaces the change that is waiting.'}
        </Notice>
      )}
    </>
  );
}

interface WhenItCountsProps {
  policy: Policy;
  state: PolicyAnswer;
}

function WhenItCounts({ policy, state }: WhenItCountsProps) {
  const { person } = useSession();
  const now = useNow(10);
  const { in_force: inForce, is_broken: isBroken, is_first: isFirst } = state;
  if (isFirst) return 'at once.';
  if (!isBroken && isStricter(policy, inForce?.policy ?? null))
    return 'at once, because it is stricter in every point.';
  const undoUntil = undoableUntil(policy, state, person?.id);
  if (undoUntil === null || now > undoUntil) return whenLooserRulesCount(state);
  return (
    <>
      at once if you sign by <Time unix={undoUntil} />, because you go back to the rules before your change. Later:{' '}
      {whenLooserRulesCount(state)}
    </>
  );
}

function whenLooserRulesCount({ confirmers, wait_hours: hours }: PolicyAnswer): string {
  if (confirmers.length > 0) return `once another admin has confirmed it: ${namesOf(confirmers)}.`;
  const wait = hours > 72 ? counted(Math.ceil(hours / 24), 'day', 'days') : `${hours} hours`;
  return `after ${wait}, unless an approver or an admin stops it before. There is no other admin who could confirm it.`;
}

interface AddAssetProps {
  draft: PolicyDraft;
  onAdd: (asset: string) => void;
}

function AddAsset({ draft, onAdd }: AddAssetProps) {
  const { account } = useSession();
  const { data } = useQuery(balanceQueries.list(account));
  const names = unlisted(data?.balances.map(({ asset }) => asset) ?? [], draft);
  if (names.length === 0) return null;
  const options = names.map((asset) => ({ value: asset, label: revealHidden(asset) }));
  return (
    <div className="max-w-64">
      <Select
        label="Add limits for an asset"
        value=""
        options={[{ value: '', label: 'Add limits for an asset…' }, ...options]}
        onChange={(asset) => asset !== '' && onAdd(asset)}
      />
    </div>
  );
}
