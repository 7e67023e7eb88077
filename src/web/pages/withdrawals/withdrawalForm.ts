import type { UseFormReturn } from 'react-hook-form';
import * as v from 'valibot';
import { isAmount, isPositive } from '#src/shared/amount.ts';
import { addressRule } from '#src/shared/chains/addressRule.ts';
import { isDay } from '#src/shared/due/dueDates.ts';
import { ENTER_A_DAY } from '#src/web/send/payBy.ts';
import { amountField, assetRule, atMost, chainRule, ruledLater, ruledName, ruledText } from '#src/shared/fieldRules.ts';
import { mistakenFor } from '#src/shared/operations/knownAddresses.ts';
import type { WithdrawalFields } from '#src/shared/operations/kind.ts';
import { chainChoices, chainsOfAsset } from '#src/web/list/chainChoices.ts';
import { focusField } from '#src/web/send/FormFields.tsx';
import type { BalanceRow } from '#src/shared/contract/rows.ts';
import type { AddressHistory } from '#src/web/list/useKnownAddresses.ts';
import type { AssetBalance } from '#src/web/send/useAssetBalance.ts';

export type FormFields = WithdrawalFields & {
  reference: string;
  /** The date and the id of the standing payment that this pays; empty if it pays none. */
  standing: string;
  /** Pay-by date, if the payment waits for approval; empty if none was typed. */
  payBy: string;
};
export type WithdrawalForm = UseFormReturn<FormFields>;

export const EMPTY: FormFields = {
  asset: '',
  chain: '',
  amount: '',
  address: '',
  reference: '',
  standing: '',
  payBy: '',
};
export const CHOSEN = { shouldValidate: true, shouldDirty: true, shouldTouch: true } as const;

/** Fills in a value that a person chose, and focuses the field. */
export function fill({ setValue }: WithdrawalForm, name: keyof FormFields, value: string): void {
  setValue(name, value, CHOSEN);
  focusField(name);
}

export function fieldsOf(chain: string, known: Pick<AddressHistory, 'settled'>) {
  return {
    asset: ruledName(assetRule),
    chain: ruledName(chainRule),
    amount: amountField,
    address: addressField(chain, known),
    reference: atMost(200),
    standing: v.string(),
    payBy: ruledText((day) => day === '' || isDay(day) || ENTER_A_DAY),
  };
}

interface Holdings extends Pick<AssetBalance, 'complete'> {
  balances: readonly Pick<BalanceRow, 'asset' | 'available'>[];
}

/**
 * The only asset that can be sent on a chain; empty if there are several, or if that isn't known. An asset that the app
 * doesn't know counts as possible on every chain.
 */
export function onlyAssetOn(
  chain: string,
  { balances, complete }: Holdings,
  earlierPayments: Parameters<typeof chainChoices>[0],
): string {
  if (!complete) return '';
  const possible = balances.filter(({ asset, available }) => {
    if (isAmount(available) && !isPositive(available)) return false;
    return chainsOfAsset(asset).length === 0 || chainChoices(earlierPayments, asset).fits(chain);
  });
  return possible.length === 1 ? (possible[0]?.asset ?? '') : '';
}

/** A valid address of the chain that doesn't imitate a known one. */
function addressField(chain: string, known: Pick<AddressHistory, 'settled'>) {
  return ruledLater(async (address) => {
    const ruling = await addressRule(chain, address, 'Choose below what to take from it.');
    if (ruling !== true) return ruling;
    const alike = mistakenFor(await known.settled(), { chain: chain.trim(), address });
    return alike.length === 0 || 'Blocked: this imitates an address that is known here. Compare them below.';
  });
}
