import type { UseFormReturn } from 'react-hook-form';
import { isAmount, isPositive } from '#src/shared/amount.ts';
import { addressRule } from '#src/shared/chains/addressRule.ts';
import type { ChainAddress } from '#src/shared/chains/lookAlike.ts';
import { amountField, assetRule, atMost, chainRule, ruledLater, ruledName } from '#src/shared/fieldRules.ts';
import type { KnownAddress, KnownAddresses } from '#src/shared/operations/knownAddresses.ts';
import type { WithdrawalFields } from '#src/shared/operations/kind.ts';
import { chainChoices, chainsOfAsset } from '#src/web/list/chainChoices.ts';
import { focusField } from '#src/web/send/FormFields.tsx';
import type { BalanceRow } from '#src/web/api/schemas.ts';
import type { AddressHistory } from '#src/web/list/useKnownAddresses.ts';
import type { AssetBalance } from './useAssetBalance.ts';

export type FormFields = WithdrawalFields & { reference: string };
export type WithdrawalForm = UseFormReturn<FormFields>;

export const EMPTY: FormFields = { asset: '', chain: '', amount: '', address: '', reference: '' };
export const CHOSEN = { shouldValidate: true, shouldDirty: true, shouldTouch: true } as const;

/** Puts in a value that a person chose, and leads them to it. */
export function fill({ setValue }: WithdrawalForm, name: keyof FormFields, value: string): void {
  setValue(name, value, CHOSEN);
  focusField(name);
}

export function fieldsOf(chain: string, known: AddressHistory) {
  return {
    asset: ruledName(assetRule),
    chain: ruledName(chainRule),
    amount: amountField,
    address: addressField(chain, known),
    reference: atMost(200),
  };
}

interface Held extends Pick<AssetBalance, 'complete'> {
  balances: readonly Pick<BalanceRow, 'asset' | 'available'>[];
}

/**
 * The one asset that can be sent on a chain; empty where several can, or where that is not known: an asset counts as
 * long as nothing rules it out, and what was seen of one that nobody knows rules nothing out.
 */
export function onlyAssetOn(
  chain: string,
  { balances, complete }: Held,
  seen: Parameters<typeof chainChoices>[0],
): string {
  if (!complete) return '';
  const possible = balances.filter(({ asset, available }) => {
    if (isAmount(available) && !isPositive(available)) return false;
    return chainsOfAsset(asset).length === 0 || chainChoices(seen, asset).fits(chain);
  });
  return possible.length === 1 ? (possible[0]?.asset ?? '') : '';
}

/** An address of the chain, and none that only looks like a known one; without the white space of a paste. */
function addressField(chain: string, known: AddressHistory) {
  return ruledLater(async (address) => {
    const ruling = await addressRule(chain, address, 'Choose below what to take from it.');
    if (ruling !== true) return ruling;
    const alike = mistakenFor(await known.settled(), { chain: chain.trim(), address });
    return alike.length === 0 || 'Blocked: this imitates an address that is known here. Compare them below.';
  });
}

/** The known addresses that this one is easily mistaken for. None for one that somebody saved as a recipient, where it was compared with them. */
export function mistakenFor(known: KnownAddresses, place: ChainAddress): KnownAddress[] {
  const same = [known.find(place), ...known.elsewhere(place)];
  return same.some((each) => each?.name != null) ? [] : known.lookAlikes(place);
}
