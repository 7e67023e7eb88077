import { useEffect, useRef } from 'react';
import { useWatch } from 'react-hook-form';
import { chainId, chainLabel } from '#src/lib/chains/names.ts';
import { FormCombobox } from '#src/list/sending/FormCombobox.tsx';
import { type ChainChoices, sameChain } from '#src/list/chainChoices.ts';
import { useKnownChains } from '#src/case-file/ExplorerLink.tsx';
import { Amount } from '#src/ui/Amount.tsx';
import type { AssetBalance } from './useAssetBalance.ts';
import type { WithdrawalForm } from './withdrawalForm.ts';

interface AssetAndChainProps {
  form: WithdrawalForm;
  balance: AssetBalance;
  chains: ChainChoices;
}

/** Both suggest and take any text: no endpoint names assets or chains. */
export function AssetAndChain({ form, balance, chains }: AssetAndChainProps) {
  const [asset, chain] = useWatch({ control: form.control, name: ['asset', 'chain'] });
  useOnlyChain(form, chains);
  const { touchedFields } = form.formState;
  // A chain alone decides what an address is: what was accepted for one is looked at again for another.
  const checkAddressAgain = () => {
    if (form.getValues('address') !== '') void form.trigger('address');
  };
  return (
    <div className="grid grid-cols-2 gap-4 narrow:grid-cols-1">
      <FormCombobox
        label="Asset"
        control={form.control}
        name="asset"
        required
        warning={touchedFields.asset ? assetWarning(asset.trim(), balance) : undefined}
        options={balance.balances.map(({ asset: code, available }) => ({
          value: code,
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
        onLeave={checkAddressAgain}
      />
    </div>
  );
}

/** Fills in the chain where only one can be meant; one that a person chose stays. */
function useOnlyChain({ control, getValues, setValue, trigger }: WithdrawalForm, { likely }: ChainChoices): void {
  const address = useWatch({ control, name: 'address' }).trim();
  const checks = useKnownChains();
  const filled = useRef('');
  const fitting = likely.filter((chain) => {
    if (address === '' || !checks) return true;
    const { verdict } = checks.checkAddress(chain, address);
    return verdict === 'valid' || verdict === 'unknown-chain';
  });
  // An address of no such chain is named at its field; the chain stays.
  const likeliest = fitting.length > 0 ? fitting : likely;
  const only = likeliest.length === 1 ? (likeliest[0] ?? '') : '';
  useEffect(() => {
    const now = getValues('chain');
    if (now === only || (now !== '' && now !== filled.current)) return;
    filled.current = only;
    setValue('chain', only);
    if (only !== '' && getValues('address') !== '') void trigger('address');
  }, [only, getValues, setValue, trigger]);
}

function assetWarning(asset: string, { balance, balances, complete }: AssetBalance): string | undefined {
  if (asset === '' || balance || !complete) return undefined;
  const meant = balances.find((each) => each.asset.toLowerCase() === asset.toLowerCase());
  if (meant) return `You hold “${meant.asset}”. Codes are case-sensitive.`;
  return 'You have never held an asset with this code.';
}

function chainWarning(asset: string, chain: string, { fits, options }: ChainChoices): string | undefined {
  if (chain.trim() === '') return undefined;
  const isSeen = options.some(({ value }) => sameChain(value, chain));
  if (chainId(chain) === undefined && !isSeen) return 'Unknown chain: addresses on it can’t be checked here.';
  return fits(chain) ? undefined : `${asset} isn’t known on ${chainLabel(chain)}. Check this with the recipient.`;
}
