import { useWatch } from 'react-hook-form';
import type { Session } from '#src/api/session.ts';
import { changeItem } from '#src/api/teamItems.ts';
import { subjectId } from '#src/api/teamContract.ts';
import { startsConcluded } from '#src/api/starts.ts';
import { withdrawalRequest } from '#src/lib/operations/withdrawal.ts';
import { paths } from '#src/lib/paths.ts';
import { chainChoices } from '#src/list/chainChoices.ts';
import { StartGuard, StartPage } from '#src/list/sending/StartPage.tsx';
import { useStartForm } from '#src/list/sending/useStartForm.ts';
import { useKnownAddresses } from '#src/list/useKnownAddresses.ts';
import { useRowsRead } from '#src/list/loadedRows.ts';
import { announce } from '#src/ui/announce.tsx';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { useHeadingFocus } from '#src/ui/useHeadingFocus.ts';
import { AddressField } from './AddressField.tsx';
import { AmountField } from './AmountField.tsx';
import { AssetAndChain } from './AssetAndChain.tsx';
import { RecipientField } from './RecipientField.tsx';
import { ReviewStep } from './ReviewStep.tsx';
import { Summary } from './Summary.tsx';
import { useAssetBalance } from './useAssetBalance.ts';
import { useReview } from './useReview.ts';
import { EMPTY, fieldsOf, type FormFields } from './withdrawalForm.ts';

const TITLE = 'New withdrawal';

export function Component() {
  return <StartGuard title={TITLE} Form={NewWithdrawal} />;
}

function NewWithdrawal({ session }: { session: Session }) {
  const { account } = session;
  const rows = useRowsRead(account);
  const known = useKnownAddresses(session, rows);
  const review = useReview();
  const { values } = review;
  const start = useStartForm<FormFields>({
    kind: 'withdrawal',
    session,
    initial: (given) => ({ ...EMPTY, ...given }),
    fields: ({ chain }) => fieldsOf(chain, known),
    request: withdrawalRequest,
    review: (checked) => {
      start.sending.reset();
      review.open(checked);
      start.sending.review(withdrawalRequest(checked));
    },
    started: (key) => {
      if (values !== null && values.reference !== '') void saveReference(account, key, values.reference);
    },
    leave: review.leaveFor,
  });
  const { form } = start;
  useHeadingFocus(values === null ? 'form' : 'review');
  const asset = useWatch({ control: form.control, name: 'asset' }).trim();
  const balance = useAssetBalance(account, asset);
  const uses = known.known.all.flatMap(({ last }) => last ?? []);
  return (
    <StartPage
      start={start}
      title={values ? 'Review withdrawal' : TITLE}
      button="Review withdrawal"
      from={paths.withdrawals()}
      step={values && <ReviewStep values={values} start={start} account={account} known={known} onBack={review.back} />}
      aside={<Summary form={form} balance={balance} />}
    >
      <RecipientField form={form} session={session} known={known} rows={rows} />
      <AddressField form={form} known={known} />
      <AssetAndChain form={form} balance={balance} chains={chainChoices([...rows, ...uses], asset)} />
      <AmountField form={form} balance={balance} />
      <Field
        label="Reference"
        hint="(optional)"
        help="Such as an invoice. For your team; the provider doesn’t see it."
        error={form.formState.errors.reference?.message}
      >
        {(control) => <input {...form.register('reference')} {...control} className={inputClass} autoComplete="off" />}
      </Field>
    </StartPage>
  );
}

/** Keeps the reference with the operation; once more when the server is known to be there, for the first may get lost. */
async function saveReference(account: string, key: string, reference: string): Promise<void> {
  const subject = { kind: 'operation' as const, id: key };
  const save = () =>
    changeItem(account, 'notes', {
      id: subjectId(subject),
      value: { ...subject, reference, note: '' },
      revision: 0,
    });
  try {
    await save().catch(() => startsConcluded().then(save));
  } catch {
    announce('The reference wasn’t saved. Add it on the payment.');
  }
}
