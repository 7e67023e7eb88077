import { ActionLink } from '#src/web/list/ActionLink.tsx';
import type { Ability } from '#src/shared/permissions.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { depositAddressPages } from '#src/web/api/depositAddresses.ts';
import { useRecipients } from '#src/web/api/recipients.ts';
import { useSession } from '#src/web/api/session.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { paths } from '#src/shared/paths.ts';
import { revealHidden, visibleCode } from '#src/shared/text.ts';
import { setPreferences, usePreferences } from '#src/web/storage/preferences.ts';

interface Step {
  title: string;
  done: boolean;
  text: ReactNode;
  to: string;
  action: string;
  ability: Ability;
  onGo?: () => void;
}

export function FirstSteps() {
  const { account, sandbox } = useSession();
  const { data: made } = useInfiniteQuery(depositAddressPages(account));
  const { entries } = useRecipients();
  const { simulatorSeen } = usePreferences();
  const address = made?.pages[0]?.addresses[0];
  const recipient = entries[0];
  const steps: Step[] = [
    {
      title: 'Create a deposit address',
      done: address !== undefined,
      text: address
        ? `${visibleCode(address.asset)} on ${revealHidden(chainLabel(address.chain))}${address.label === '' ? '' : `, ${revealHidden(address.label)}`}.`
        : 'Give it to a customer: what arrives there is credited to you.',
      to: address ? paths.operation(address.id) : paths.newDepositAddress,
      action: address ? 'View address' : 'Create address',
      ability: address ? 'read' : 'prepare',
    },
    {
      title: 'Save a recipient',
      done: recipient !== undefined,
      text: recipient ? `${revealHidden(recipient.name)}.` : 'Check an address once, then pick it by name.',
      to: paths.recipients,
      action: recipient ? 'View recipients' : 'Add recipient',
      ability: recipient ? 'read' : 'save-recipients',
    },
  ];
  if (sandbox !== null)
    steps.push({
      title: 'Try the simulator',
      done: simulatorSeen,
      text: 'Receive and send test money. See what an outage looks like before you meet one.',
      to: paths.simulator,
      action: 'Open simulator',
      ability: 'read',
      onGo: () => setPreferences({ simulatorSeen: true }),
    });
  const next = steps.find(({ done }) => !done);
  return (
    <section className="max-w-240 px-gutter pt-2 pb-6 text-ink-2" aria-label="First steps">
      <p>{steps.length === 3 ? 'Three' : 'Two'} steps to your first payment. Each ticks itself off.</p>
      <ol className="mt-4 border-t border-rule-strong">
        {steps.map((step, at) => (
          <li
            key={step.title}
            className="grid grid-cols-[2rem_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-2 border-b border-rule py-4 last:border-rule-strong narrow:grid-cols-[2rem_minmax(0,1fr)]"
          >
            <span className="self-start font-mono text-lead text-ink-3">
              {step.done ? (
                <>
                  <span className="vh">Done</span>
                  <Check aria-hidden />
                </>
              ) : (
                at + 1
              )}
            </span>
            <span>
              <b className={`block text-lead ${step.done ? 'font-normal' : 'text-ink'}`}>{step.title}</b>
              <span>{step.text}</span>
            </span>
            <ActionLink
              ability={step.ability}
              variant={step === next ? 'primary' : 'plain'}
              className="narrow:col-start-2"
              to={step.to}
              onClick={step.onGo}
            >
              {step.action}
            </ActionLink>
          </li>
        ))}
      </ol>
    </section>
  );
}
