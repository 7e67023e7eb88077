import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useLocation } from 'react-router';
import { type Session, useSession } from '#src/api/session.ts';
import { withDraft } from '#src/api/startOperation.ts';
import { chainId } from '#src/lib/chains/names.ts';
import { assetRule, chainRule } from '#src/lib/fieldRules.ts';
import { depositAddressRequest } from '#src/lib/operations/depositAddress.ts';
import { newKey } from '#src/lib/operations/key.ts';
import { paths } from '#src/lib/paths.ts';
import { prefilled } from '#src/lib/prefill.ts';
import { useFieldChoices } from '#src/list/useFieldChoices.ts';
import { BeingRecorded, useIsRecording } from '#src/list/sending/BeingRecorded.tsx';
import { CONFIRM_FIRST, SecondSend } from '#src/list/sending/SecondSend.tsx';
import { useFormSending } from '#src/list/sending/useFormSending.ts';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { ReadOnlyPage } from '#src/ui/ReadOnlyPage.tsx';
import { StartForm } from '#src/ui/StartForm.tsx';
import { SuggestField } from '#src/ui/SuggestField.tsx';
import { AddressAside } from './AddressAside.tsx';

const TITLE = 'New deposit address';

export function Component() {
  const session = useSession();
  if (session === null) return null;
  if (session.read_only) return <ReadOnlyPage title={TITLE} />;
  // Keyed, so that another account gets another form, and another key.
  return <NewAddress key={`${session.service} ${session.account}`} session={session} />;
}

function NewAddress({ session }: { session: Session }) {
  const state = withDraft(useLocation().state);
  // The one key of this form, whatever is edited or tried again.
  const [key] = useState(() => newKey());
  const form = useForm({
    mode: 'onTouched',
    defaultValues: { asset: prefilled(state, 'asset'), chain: prefilled(state, 'chain') },
  });
  const { errors, touchedFields } = form.formState;
  const typed = useWatch({ control: form.control });
  const asset = (typed.asset ?? '').trim();
  const chain = (typed.chain ?? '').trim();
  const choices = useFieldChoices(session.account, asset);
  const [dropped, setDropped] = useState(false);
  const sending = useFormSending(key, session.account);
  const { reviewed, earlier, confirmed } = sending;
  // A chain is chosen for an asset: it does not stay for another one.
  const dropChain = () => {
    sending.reset();
    setDropped(form.getValues('chain') !== '' || dropped);
    form.resetField('chain', { defaultValue: '' });
  };
  const isKnown = chain === '' || chainId(chain) !== undefined;
  const ready = assetRule(asset) === true && chainRule(chain) === true;
  const send = (typed: { asset: string; chain: string }) => {
    const values = { asset: typed.asset.trim(), chain: typed.chain.trim() };
    sending.send(depositAddressRequest(values), { path: paths.newDepositAddress, values });
  };
  if (useIsRecording(sending.gone)) return <BeingRecorded title={TITLE} />;
  return (
    <>
      <PageHeader title={TITLE} asOf={<span>Nothing is recorded or sent until you create it.</span>} />
      <StartForm
        button="Create deposit address"
        pending={sending.checking}
        off={earlier.length > 0 && !confirmed ? CONFIRM_FIRST : undefined}
        problem={sending.problem?.message ?? null}
        errors={[errors.asset?.message, errors.chain?.message]}
        onSubmit={form.handleSubmit(send)}
        aside={<AddressAside idempotencyKey={key} request={ready ? depositAddressRequest({ asset, chain }) : null} />}
      >
        <SuggestField
          label="Asset"
          help="What will be received, such as BTC or USDT."
          error={errors.asset?.message}
          warning={errors.asset ? undefined : choices.warning}
          suggestions={choices.assets}
          input={form.register('asset', { validate: assetRule, onChange: dropChain })}
        />
        <SuggestField
          label="Chain"
          help={
            asset === ''
              ? 'Choose the asset first.'
              : `${dropped && chain === '' ? 'The asset changed, so choose its chain again. ' : ''}The network on which ${asset} will arrive. Ask the payer if you are not sure.`
          }
          error={errors.chain?.message}
          warning={
            touchedFields.chain && !errors.chain && !isKnown
              ? 'This chain is not known here, so the address that comes cannot be checked.'
              : undefined
          }
          suggestions={choices.chains}
          input={{
            ...form.register('chain', { validate: (text) => asset === '' || chainRule(text), onChange: sending.reset }),
            readOnly: asset === '',
          }}
        />
        {reviewed && (
          <SecondSend kind="deposit-address" review={reviewed} confirmed={confirmed} onConfirm={sending.setConfirmed} />
        )}
      </StartForm>
    </>
  );
}
