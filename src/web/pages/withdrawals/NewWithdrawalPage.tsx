import { useQueryClient } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useSession } from '#src/web/api/session.ts';
import { changeItem } from '#src/web/api/team.ts';
import { codeWarning } from '#src/shared/assetCode.ts';
import { subjectId } from '#src/shared/contract/teamContract.ts';
import { isDay } from '#src/shared/due/dueDates.ts';
import { withdrawalRequest } from '#src/shared/operations/withdrawal.ts';
import { revealHidden, visibleCode } from '#src/shared/text.ts';
import { paths } from '#src/shared/paths.ts';
import { assetOption, chainChoices, type ChainChoices, sameChain } from '#src/web/list/chainChoices.ts';
import { SendFormGuard, SendFormPage } from '#src/web/send/SendFormPage.tsx';
import { savePayBy } from '#src/web/send/payBy.ts';
import { saveWithStart } from '#src/web/send/saveWithStart.ts';
import { useSendForm } from '#src/web/send/useSendForm.ts';
import { useKnownAddresses } from '#src/web/list/useKnownAddresses.ts';
import { useRowsRead } from '#src/web/list/rows/loadedRows.ts';
import { type LocationState, locationState, readLocationState } from '#src/web/storage/locationState.ts';
import { randomName } from '#src/shared/operations/random.ts';
import { chainId, chainLabel } from '#src/shared/chains/names.ts';
import { FormCombobox, FormText, recheckAddress } from '#src/web/send/FormFields.tsx';
import { useKnownChains } from '#src/web/report/ExplorerLink.tsx';
import { Amount } from '#src/web/ui/Amount.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { AddressField } from './AddressField.tsx';
import { AmountField } from './AmountField.tsx';
import { type AssetBalance, useAssetBalance } from '#src/web/send/useAssetBalance.ts';
import { RecipientField } from './RecipientField.tsx';
import { ReviewStep } from './ReviewStep.tsx';
import { StandingDateNotice, useMarkStanding } from './StandingDate.tsx';
import { Summary } from './Summary.tsx';
import { EMPTY, fieldsOf, onlyAssetOn, type FormFields, type WithdrawalForm } from './withdrawalForm.ts';
import { useHeadingFocus } from '#src/web/ui/focus.ts';

const TITLE = 'New withdrawal';

export function Component() {
  return <SendFormGuard title={TITLE} Form={NewWithdrawal} />;
}

function NewWithdrawal() {
  const { account } = useSession();
  const client = useQueryClient();
  const rows = useRowsRead();
  const known = useKnownAddresses(rows);
  const review = useReview();
  const { values } = review;
  const markStanding = useMarkStanding();
  const sendForm = useSendForm<FormFields>({
    kind: 'withdrawal',
    initial: (input) => ({ ...EMPTY, ...input }),
    fields: ({ chain }) => fieldsOf(chain, known),
    request: withdrawalRequest,
    onReview: (checked) => {
      sendForm.duplicates.reset();
      review.open(checked);
      sendForm.check(withdrawalRequest(checked));
    },
    onStarted: (key) => {
      if (values !== null && values.reference !== '') void saveReference(account, key, values.reference);
      const payBy = sendForm.form.getValues('payBy');
      if (isDay(payBy) && (sendForm.duplicates.review?.approval?.needs ?? 0) > 0)
        void savePayBy(client, account, { id: key, date: payBy, where: 'the payment' });
    },
    onRecorded: () => values && markStanding(values),
    leave: review.leaveFor,
  });
  const { form } = sendForm;
  useHeadingFocus(values === null ? 'form' : 'review');
  const asset = useWatch({ control: form.control, name: 'asset' }).trim();
  const balance = useAssetBalance(asset);
  const earlierPayments = [...rows, ...known.known.all.flatMap(({ last }) => last ?? [])];
  const chains = chainChoices(earlierPayments, asset);
  return (
    <SendFormPage
      sendForm={sendForm}
      title={values ? 'Review withdrawal' : TITLE}
      button="Review withdrawal"
      from={paths.withdrawals()}
      step={values && <ReviewStep values={values} sendForm={sendForm} form={form} known={known} onBack={review.back} />}
      aside={<Summary form={form} known={known} balance={balance} />}
    >
      <Declined />
      <StandingDateNotice control={form.control} />
      <RecipientField
        form={form}
        known={known}
        rows={rows}
        onlyAsset={(chain) => onlyAssetOn(chain, balance, earlierPayments)}
      />
      <AddressField form={form} known={known} chains={chains} assets={[{ asset }, ...balance.balances]} />
      <AssetAndChain form={form} balance={balance} chains={chains} />
      <AmountField form={form} balance={balance} />
      <FormText
        label="Reference"
        hint="(optional)"
        help="E.g. an invoice number. Only your team sees it."
        control={form.control}
        name="reference"
      />
    </SendFormPage>
  );
}

/** For a payment that is prepared again: why it wasn't approved last time. */
function Declined() {
  const { declined } = readLocationState(useLocation().state);
  if (declined === undefined) return null;
  return (
    <Notice tone="open" title={`${revealHidden(declined.how)}.`}>
      {declined.words !== '' && (
        <>
          “<UntrustedText value={declined.words} max={600} />”
        </>
      )}
    </Notice>
  );
}

function saveReference(account: string, key: string, reference: string): Promise<void> {
  const subject = { kind: 'operation' as const, id: key };
  const value = { ...subject, reference, note: '' };
  return saveWithStart(() => changeItem(account, 'notes', { id: subjectId(subject), value, revision: 0 }), {
    what: 'The reference',
    where: 'the payment',
  });
}

/** Review as a history entry without values: Back returns to the form, a reload to its draft. */
function useReview() {
  const navigate = useNavigate();
  const { state } = useLocation();
  const mark = readLocationState(state).review;
  const [reviewed, setReviewed] = useState<{ mark: string; values: FormFields } | null>(null);
  const [leave, setLeave] = useState<{ path: string; state: LocationState | undefined } | null>(null);
  const atReview = reviewed !== null && reviewed.mark === mark;
  const hasGoneBack = useRef(false);

  useEffect(() => {
    if (leave === null) return;
    if (!atReview) void navigate(leave.path, { replace: true, state: leave.state });
    else if (!hasGoneBack.current) {
      hasGoneBack.current = true;
      // Going back is asynchronous. Write the path at once, so that a reload in between finds the operation.
      const { location, history } = window;
      const write = () =>
        location.pathname === paths.newWithdrawal && history.replaceState(history.state, '', leave.path);
      write();
      window.addEventListener('popstate', write, { once: true });
      void navigate(-1);
    }
  }, [leave, atReview, navigate]);

  return {
    /** The values under review; null while the form is shown. */
    values: atReview ? reviewed.values : null,
    open: (values: FormFields) => {
      // Unique per review, so an older history entry of this tab cannot open it.
      const next = randomName('review_');
      setReviewed({ mark: next, values });
      void navigate(paths.newWithdrawal, { state: locationState({ review: next }) });
    },
    back: () => void navigate(-1),
    /** Replaces the form in the history, so that Back after sending doesn't find a form that could send again. */
    leaveFor: (path: string, state?: LocationState) => setLeave({ path, state }),
  };
}

interface AssetAndChainProps {
  form: WithdrawalForm;
  balance: AssetBalance;
  chains: ChainChoices;
}

/** Both fields have suggestions but accept any text, because no endpoint lists assets or chains. */
function AssetAndChain({ form, balance, chains }: AssetAndChainProps) {
  const [asset, chain] = useWatch({ control: form.control, name: ['asset', 'chain'] });
  useOnlyChain(form, chains);
  const { touchedFields } = form.formState;
  return (
    <div className="grid grid-cols-2 gap-4 narrow:grid-cols-1">
      <FormCombobox
        label="Asset"
        control={form.control}
        name="asset"
        required
        warning={touchedFields.asset ? assetWarning(asset.trim(), balance) : undefined}
        options={balance.balances.map(({ asset: code, available }) => ({
          ...assetOption(code),
          detail: <Amount value={available} flow />,
        }))}
      />
      <FormCombobox
        label="Chain"
        control={form.control}
        name="chain"
        required
        warning={touchedFields.chain || touchedFields.asset ? chainWarning(asset.trim(), chain, chains) : undefined}
        options={chains.options}
        onLeave={() => recheckAddress(form)}
      />
    </div>
  );
}

/** Fills in the chain if only one is possible. A chosen chain stays. */
function useOnlyChain({ control, getValues, setValue, trigger }: WithdrawalForm, { likely }: ChainChoices): void {
  const address = useWatch({ control, name: 'address' }).trim();
  const checks = useKnownChains();
  const filled = useRef('');
  const fitting = likely.filter((chain) => {
    if (address === '' || !checks) return true;
    const { verdict } = checks.checkAddress(chain, address);
    return verdict === 'valid' || verdict === 'unknown-chain';
  });
  // If the address fits no likely chain, its field shows the error and the chain stays.
  const likeliest = fitting.length > 0 ? fitting : likely;
  const only = likeliest.length === 1 ? (likeliest[0] ?? '') : '';
  useEffect(() => {
    const now = getValues('chain');
    if (now === only || (now !== '' && now !== filled.current)) return;
    filled.current = only;
    setValue('chain', only);
    if (only !== '') recheckAddress({ getValues, trigger });
  }, [only, getValues, setValue, trigger]);
}

function assetWarning(asset: string, { balance, balances, complete }: AssetBalance): string | undefined {
  const held = balances.map((each) => each.asset);
  const warning = codeWarning(asset, held);
  if (warning !== undefined || asset === '' || balance || !complete) return warning;
  return 'You have never held an asset with this code.';
}

function chainWarning(asset: string, chain: string, { fits, options }: ChainChoices): string | undefined {
  if (chain.trim() === '') return undefined;
  const isSeen = options.some(({ value }) => sameChain(value, chain));
  if (chainId(chain) === undefined && !isSeen) return 'Unknown chain: addresses on it can’t be checked here.';
  return fits(chain)
    ? undefined
    : `${visibleCode(asset)} isn’t known on ${chainLabel(chain)}. Check this with the recipient.`;
}
