import { type UseFormReturn, useWatch } from 'react-hook-form';
import { chainId } from '#src/lib/chains/names.ts';
import type { ChainChoice } from '#src/list/chainChoices.ts';
import type { WithdrawalFields } from '#src/lib/operations/withdrawal.ts';
import { SuggestField } from '#src/ui/SuggestField.tsx';
import type { AssetBalance } from './useAssetBalance.ts';

interface AssetAndChainProps {
  form: UseFormReturn<WithdrawalFields>;
  balance: AssetBalance;
  chains: readonly ChainChoice[];
}

/** Both suggest and take any text: no endpoint names assets or chains. */
export function AssetAndChain({ form, balance, chains }: AssetAndChainProps) {
  const [asset, chain] = useWatch({ control: form.control, name: ['asset', 'chain'] });
  const { errors, touchedFields } = form.formState;
  // A chain alone decides what an address is: what was accepted for one is looked at again for another.
  const checkAddressAgain = () => {
    if (form.getValues('address') !== '') void form.trigger('address');
  };
  return (
    <div className="grid grid-cols-2 gap-4">
      <SuggestField
        label="Asset"
        error={errors.asset?.message}
        warning={touchedFields.asset && !errors.asset ? assetWarning(asset.trim(), balance) : undefined}
        suggestions={balance.assets.map((code) => ({ value: code, label: code }))}
        input={form.register('asset')}
      />
      <SuggestField
        label="Chain"
        error={errors.chain?.message}
        warning={
          touchedFields.chain && !errors.chain && chainId(chain) === undefined
            ? 'This chain is not known here, so addresses on it cannot be checked.'
            : undefined
        }
        suggestions={chains}
        input={form.register('chain', { onBlur: checkAddressAgain })}
      />
    </div>
  );
}

function assetWarning(asset: string, { balance, assets, complete }: AssetBalance): string | undefined {
  if (balance || !complete) return undefined;
  const meant = assets.find((code) => code.toLowerCase() === asset.toLowerCase());
  if (meant !== undefined) return `This account holds “${meant}”, written differently.`;
  return 'This account has never held an asset with this code.';
}
