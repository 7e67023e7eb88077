import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { chainId } from '#src/shared/chains/names.ts';
import { assetRule, atMost, chainRule, ruledName } from '#src/shared/fieldRules.ts';
import { depositAddressRequest } from '#src/shared/operations/depositAddress.ts';
import type { DepositAddressFields } from '#src/shared/operations/kind.ts';
import { paths } from '#src/shared/paths.ts';
import { pendingStartsSettled } from '#src/web/api/operations/pendingStarts.ts';
import { useSession } from '#src/web/api/session.ts';
import { changeItem } from '#src/web/api/team.ts';
import { FormCombobox, FormText } from '#src/web/send/FormFields.tsx';
import { saveWithStart } from '#src/web/send/saveWithStart.ts';
import { Protected, SendFormGuard, SendFormPage } from '#src/web/send/SendFormPage.tsx';
import { useSendForm } from '#src/web/send/useSendForm.ts';
import { useFieldChoices } from '#src/web/list/chainChoices.ts';
import { RequestPreview } from '#src/web/ui/RequestPreview.tsx';

const TITLE = 'New deposit address';

interface FormFields extends DepositAddressFields {
  [field: string]: string;
  label: string;
}

export function Component() {
  return <SendFormGuard title={TITLE} Form={NewAddress} />;
}

function NewAddress() {
  const { account } = useSession();
  const sendForm = useSendForm<FormFields>({
    kind: 'deposit-address',
    initial: (input) => ({ asset: '', chain: '', label: '', ...input }),
    fields: (typed) => ({
      asset: ruledName(assetRule),
      // A chain can only be checked for an asset.
      chain: ruledName((text) => typed.asset.trim() === '' || chainRule(text)),
      label: atMost(200),
    }),
    request: depositAddressRequest,
    onStarted: (started) => {
      const label = sendForm.form.getValues('label').trim();
      if (label !== '') void saveLabel(account, started, label);
    },
  });
  const { key, form, duplicates } = sendForm;
  const { touchedFields } = form.formState;
  const typed = useWatch({ control: form.control, name: ['asset', 'chain'] });
  const [asset, chain] = [typed[0].trim(), typed[1].trim()];
  const choices = useFieldChoices(asset);
  const [dropped, setDropped] = useState(false);
  // Changing the asset clears the chain, which belonged to it.
  const dropChain = () => {
    duplicates.reset();
    setDropped(form.getValues('chain') !== '' || dropped);
    form.resetField('chain', { defaultValue: '' });
  };
  const isKnown = chain === '' || chainId(chain) !== undefined;
  const request =
    assetRule(asset) === true && chainRule(chain) === true ? depositAddressRequest({ asset, chain }) : null;
  return (
    <SendFormPage
      sendForm={sendForm}
      title={TITLE}
      button="Create deposit address"
      from={paths.deposits()}
      aside={
        <>
          <section>
            <h2>One address, one chain</h2>
            <p className="sub small">
              The same asset can exist on several chains. Funds sent to the address on another chain may be lost for
              good, so always share the address together with its chain.
            </p>
          </section>
          {request && <RequestPreview request={request} idempotencyKey={key} />}
          <Protected against="duplicate addresses" once="answers with the same address" />
        </>
      }
    >
      <FormCombobox
        label="Asset"
        control={form.control}
        name="asset"
        required
        help="What you will receive, e.g. BTC or USDT."
        warning={choices.warning}
        options={choices.assets}
        onChanged={dropChain}
      />
      <FormCombobox
        label="Chain"
        control={form.control}
        name="chain"
        required
        help={
          asset === ''
            ? 'Choose the asset first.'
            : `${dropped && chain === '' ? 'The asset changed, so choose its chain again. ' : ''}The network ${asset} will arrive on. Ask the payer if you are not sure.`
        }
        warning={
          touchedFields.chain && !isKnown ? 'Unknown chain: the address you get can’t be checked here.' : undefined
        }
        options={choices.chains.options}
        readOnly={asset === ''}
        onChanged={duplicates.reset}
      />
      <FormText
        label="Label, customer or order"
        hint="(optional)"
        help="Only your team sees it."
        control={form.control}
        name="label"
      />
    </SendFormPage>
  );
}

/** Saves the label. The server accepts it only after it has recorded the operation. */
function saveLabel(account: string, key: string, label: string): Promise<void> {
  const save = () => changeItem(account, 'deposit-addresses', { id: key, value: { label }, revision: 0 });
  return saveWithStart(() => pendingStartsSettled().then(save), { what: 'The label', where: 'Addresses' });
}
