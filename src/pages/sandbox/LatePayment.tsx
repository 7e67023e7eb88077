import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { passTime, receiveDeposit, sandboxQueries } from '#src/api/sandboxControls.ts';
import { paths } from '#src/lib/paths.ts';
import { useOpenedRows } from '#src/list/rows/openedRows.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { buttonClass } from '#src/ui/Button.tsx';
import { ControlButton, dueWords, Outcome, useControl, useSandbox } from './control.tsx';
import { useRehearsal } from './rehearsal.ts';
import { Steps } from './Steps.tsx';

const PAID = { asset: 'BTC', chain: 'bitcoin', amount: '0.015', status: 'pending' };
/** As long as the sandbox lets a deposit on bitcoin wait for its confirmations. */
const CONFIRMING_SECONDS = 30 * 60;

/** A customer paid, and the shop does not see it. */
export function LatePayment() {
  const control = useControl();
  const { account, sandbox } = useSandbox();
  const { progress, begin } = useRehearsal('late-payment');
  const opened = useOpenedRows();
  const { data: state } = useQuery(sandboxQueries.state(account, sandbox));
  const deposit = progress?.deposit;
  const settled = deposit !== undefined && state !== undefined && !state.deposits.some(({ id }) => id === deposit.id);
  const arrive = async () => {
    const { id } = await receiveDeposit(sandbox, PAID);
    await begin({ deposit: { id, asset: PAID.asset, amount: PAID.amount } });
    return 'The payment was detected on its chain, and is not confirmed yet.';
  };
  const confirm = async () => {
    const { fell_due } = await passTime(sandbox, CONFIRMING_SECONDS);
    return `30 minutes passed. ${dueWords(fell_due)}`;
  };
  const paid = <Amount value={PAID.amount} asset={PAID.asset} flow />;
  return (
    <>
      <Steps
        steps={[
          {
            id: 'look',
            text: (
              <>
                A customer says “I paid {paid} an hour ago”.{' '}
                <Link to={paths.deposits('asset=BTC')}>Look in the deposits</Link>: it is not there, and that proves
                nothing yet.
              </>
            ),
            done: deposit !== undefined,
          },
          {
            id: 'arrive',
            text: 'Now it arrives, late.',
            done: deposit !== undefined,
            act: (
              <ControlButton variant="primary" of={control} doing="Working…" act={arrive}>
                Create deposit
              </ControlButton>
            ),
          },
          {
            id: 'find',
            text: (
              <>
                Find it in the deposits, by amount and time. It is Pending: counted under Pending of the{' '}
                <Link to={paths.balance(PAID.asset)}>BTC balance</Link>, and not to be spent. This is what the customer
                may be told.
              </>
            ),
            done: deposit !== undefined && (opened.has(deposit.id) || settled),
            act: deposit && (
              <Link className={buttonClass('primary')} to={paths.deposit(deposit.id)}>
                Open the deposit
              </Link>
            ),
          },
          {
            id: 'confirm',
            text: 'Advance the clock until it is confirmed: half an hour on this chain.',
            done: settled,
            act: deposit && (
              <ControlButton of={control} doing="Working…" act={confirm}>
                Advance 30 minutes
              </ControlButton>
            ),
          },
          {
            id: 'settled',
            text: (
              <>
                It is completed, and counted under Available.{' '}
                {deposit && settled && <Link to={paths.deposit(deposit.id)}>Open the deposit</Link>}
              </>
            ),
            done: settled,
          },
        ]}
      />
      <Outcome of={control} />
    </>
  );
}
