import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import type { Session } from '#src/api/session.ts';
import { chainId } from '#src/lib/chains/names.ts';
import { assetRule, chainRule, ruledName } from '#src/lib/fieldRules.ts';
import { type DepositAddressFields, depositAddressRequest } from '#src/lib/operations/depositAddress.ts';
import type { Sent } from '#src/lib/operations/kind.ts';
import { StartGuard, StartPage } from '#src/list/sending/StartPage.tsx';
import { useStartForm } from '#src/list/sending/useStartForm.ts';
import { useFieldChoices } from '#src/list/useFieldChoices.ts';
import { RequestPreview } from '#src/ui/RequestPreview.tsx';
import { SuggestField } from '#src/ui/SuggestField.tsx';

const TITLE = 'New deposit address';

export function Component() {
  return <StartGuard title={TITLE} Form={NewAddress} />;
}

function NewAddress({ session }: { session: Session }) {
  const start = useStartForm<DepositAddressFields>({
    kind: 'deposit-address',
    session,
    initial: (given) => ({ asset: '', chain: '', ...given }),
    fields: (typed) => ({
      asset: ruledName(assetRule),
      // Without an asset nothing is said of the chain.
      chain: ruledName((text) => typed.asset.trim() === '' || chainRule(text)),
    }),
    request: depositAddressRequest,
  });
  const { key, form, sending } = start;
  const { errors, touchedFields } = form.formState;
  const typed = useWatch({ control: form.control, name: ['asset', 'chain'] });
  const [asset, chain] = [typed[0].trim(), typed[1].trim()];
  const choices = useFieldChoices(session.account, asset);
  const [dropped, setDropped] = useState(false);
  // A chain is chosen for an asset: it does not stay for another one.
  const dropChain = () => {
    sending.reset();
    setDropped(form.getValues('chain') !== '' || dropped);
    form.resetField('chain', { defaultValue: '' });
  };
  const isKnown = chain === '' || chainId(chain) !== undefined;
  const isReady = assetRule(asset) === true && chainRule(chain) === true;
  return (
    <StartPage
      start={start}
      title={TITLE}
      until="you create it"
      button="Create deposit address"
      aside={<Aside idempotencyKey={key} request={isReady ? depositAddressRequest({ asset, chain }) : null} />}
    >
      <SuggestField
        label="Asset"
        help="What will be received, such as BTC or USDT."
        error={errors.asset?.message}
        warning={errors.asset ? undefined : choices.warning}
        suggestions={choices.assets}
        input={form.register('asset', { onChange: dropChain })}
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
        input={{ ...form.register('chain', { onChange: sending.reset }), readOnly: asset === '' }}
      />
    </StartPage>
  );
}

/** What stands beside the form: the request, once it can be made, and what an address of one chain means. */
function Aside({ idempotencyKey, request }: { idempotencyKey: string; request: Sent | null }) {
  return (
    <>
      {request && <RequestPreview path={request.path} idempotencyKey={idempotencyKey} body={request.body} />}
      <section>
        <h2>One address, one chain</h2>
        <p className="sub small">
          The same asset can exist on several chains. What is sent to the address on another chain may be lost for good,
          so pass the address on together with its chain.
        </p>
      </section>
      <section>
        <h2>Why a lost answer makes no second address</h2>
        <p className="sub small">
          The request is recorded here before it leaves, with one key. If the answer gets lost, the same request is sent
          with the same key, and the service answers with the same address.
        </p>
      </section>
    </>
  );
}
