import { useWatch } from 'react-hook-form';
import type { Session } from '#src/api/session.ts';
import * as v from 'valibot';
import { addressRule } from '#src/lib/chains/addressRule.ts';
import { amountRule, assetRule, chainRule, ruledName, ruledText } from '#src/lib/fieldRules.ts';
import { type WithdrawalFields, withdrawalRequest } from '#src/lib/operations/withdrawal.ts';
import { chainChoices } from '#src/list/chainChoices.ts';
import { StartGuard, StartPage } from '#src/list/sending/StartPage.tsx';
import { useStartForm } from '#src/list/sending/useStartForm.ts';
import { type Known, useKnownAddresses } from '#src/list/useKnownAddresses.ts';
import { useRowsRead } from '#src/list/loadedRows.ts';
import { Button } from '#src/ui/Button.tsx';
import { useHeadingFocus } from '#src/ui/useHeadingFocus.ts';
import { AddressField } from './AddressField.tsx';
import { AmountField } from './AmountField.tsx';
import { AssetAndChain } from './AssetAndChain.tsx';
import { BalanceAside } from './BalanceAside.tsx';
import { lookAlikeRule } from './blocked.ts';
import { RecipientField } from './RecipientField.tsx';
import { ReviewStep } from './ReviewStep.tsx';
import { useAssetBalance } from './useAssetBalance.ts';
import { useReview } from './useReview.ts';

const TITLE = 'New withdrawal';
const EMPTY: WithdrawalFields = { asset: '', chain: '', amount: '', address: '' };

export function Component() {
  return <StartGuard title={TITLE} Form={NewWithdrawal} />;
}

function NewWithdrawal({ session }: { session: Session }) {
  const { account } = session;
  const rows = useRowsRead(account);
  const known = useKnownAddresses(session, rows);
  const review = useReview();
  const start = useStartForm<WithdrawalFields>({
    kind: 'withdrawal',
    session,
    initial: (given) => ({ ...EMPTY, ...given }),
    fields: ({ chain }) => ({
      asset: ruledName(assetRule),
      chain: ruledName(chainRule),
      // Amount and address exactly as typed.
      amount: ruledText(amountRule),
      address: addressSchema(chain, known),
    }),
    request: withdrawalRequest,
    review: (values) => {
      start.sending.reset();
      review.open(values);
      start.sending.review(withdrawalRequest(values));
    },
    leave: review.leaveFor,
  });
  const { form } = start;
  const { values } = review;
  useHeadingFocus(values === null ? 'form' : 'review');
  const asset = useWatch({ control: form.control, name: 'asset' }).trim();
  const balance = useAssetBalance(account, asset);
  return (
    <StartPage
      start={start}
      title={values ? 'Review the withdrawal' : TITLE}
      until="you send"
      button="Review withdrawal"
      tall
      further={
        <Button variant="quiet" onClick={() => form.reset(EMPTY)}>
          Clear
        </Button>
      }
      step={values && <ReviewStep values={values} start={start} account={account} known={known} onBack={review.back} />}
      aside={<BalanceAside asset={asset} balance={balance} />}
    >
      <AssetAndChain form={form} balance={balance} chains={chainChoices(rows, asset)} />
      <AmountField form={form} balance={balance} />
      <RecipientField form={form} account={account} known={known} />
      <AddressField form={form} known={known} />
    </StartPage>
  );
}

/** An address of the chain, and none that only looks like a known one. */
function addressSchema(chain: string, known: Known) {
  return v.pipeAsync(
    v.string(),
    v.rawCheckAsync(async ({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const address = dataset.value;
      const ruling = await addressRule(chain, address, 'Choose below what to take from it.');
      const last = ruling === true ? lookAlikeRule(await known.settled(), { chain: chain.trim(), address }) : ruling;
      if (last !== true) addIssue({ message: last });
    }),
  );
}
