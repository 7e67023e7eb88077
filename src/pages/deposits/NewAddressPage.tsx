import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useLocation, useNavigate } from 'react-router';
import { type Session, useSession } from '#src/api/session.ts';
import { chainId } from '#src/lib/chains/names.ts';
import { assetRule, chainRule } from '#src/lib/fieldRules.ts';
import { paths } from '#src/lib/paths.ts';
import { prefilled } from '#src/lib/prefill.ts';
import { useFieldChoices } from '#src/list/useFieldChoices.ts';
import { newKey } from '#src/operations/key.ts';
import { depositAddressRequest } from '#src/operations/kinds.ts';
import { useOperations } from '#src/operations/useOperations.ts';
import { useSending } from '#src/operations/useSending.ts';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { ReadOnlyPage } from '#src/ui/ReadOnlyPage.tsx';
import { StartForm } from '#src/ui/StartForm.tsx';
import { StorageNotice } from '#src/ui/StorageNotice.tsx';
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
  const navigate = useNavigate();
  const { state } = useLocation();
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
  const { status, reason, mayForget } = useOperations();
  const sending = useSending((id, instead) => {
    void navigate(paths.operation(id), { replace: true, state: instead ? { instead } : null });
  });
  // A chain is chosen for an asset: it does not stay for another one.
  const dropChain = () => {
    setDropped(form.getValues('chain') !== '' || dropped);
    form.resetField('chain', { defaultValue: '' });
  };
  const isKnown = chain === '' || chainId(chain) !== undefined;
  const ready = assetRule(asset) === true && chainRule(chain) === true;
  return (
    <>
      <PageHeader title={TITLE} asOf={<span>Nothing is recorded or sent until you create it.</span>} />
      <StartForm
        button="Create deposit address"
        pending={sending.pending}
        problem={sending.problem}
        errors={[errors.asset?.message, errors.chain?.message]}
        onSubmit={form.handleSubmit((fields) =>
          sending.send(() => depositAddressRequest(key, { asset: fields.asset.trim(), chain: fields.chain.trim() })),
        )}
        aside={<AddressAside request={ready ? depositAddressRequest(key, { asset, chain }) : null} />}
        before={
          <StorageNotice
            status={status}
            reason={reason}
            mayForget={mayForget}
            refused="No address can be asked for from this browser now."
            what="the request"
          />
        }
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
            ...form.register('chain', { validate: (text) => asset === '' || chainRule(text) }),
            readOnly: asset === '',
          }}
        />
      </StartForm>
    </>
  );
}
