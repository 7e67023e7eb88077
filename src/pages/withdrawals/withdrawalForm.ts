import type { UseFormReturn } from 'react-hook-form';
import { addressRule } from '#src/lib/chains/addressRule.ts';
import type { ChainAddress } from '#src/lib/chains/lookAlike.ts';
import { type Ruling, amountField, assetRule, atMost, chainRule, ruledLater, ruledName } from '#src/lib/fieldRules.ts';
import type { KnownAddress, KnownAddresses } from '#src/lib/operations/knownAddresses.ts';
import type { WithdrawalFields } from '#src/lib/operations/withdrawal.ts';
import type { Known } from '#src/list/useKnownAddresses.ts';

/** What is sent, and the reference that the team keeps with it. */
export type FormFields = WithdrawalFields & { reference: string };
export type WithdrawalForm = UseFormReturn<FormFields>;

export const EMPTY: FormFields = { asset: '', chain: '', amount: '', address: '', reference: '' };
/** Of a value that a person chose. */
export const CHOSEN = { shouldValidate: true, shouldDirty: true, shouldTouch: true } as const;

export function fieldsOf(chain: string, known: Known) {
  return {
    asset: ruledName(assetRule),
    chain: ruledName(chainRule),
    amount: amountField,
    address: addressField(chain, known),
    reference: atMost(200),
  };
}

/** An address of the chain, and none that only looks like a known one; without the white space of a paste. */
function addressField(chain: string, known: Known) {
  return ruledLater(async (address) => {
    const ruling = await addressRule(chain, address, 'Choose below what to take from it.');
    return ruling === true ? lookAlikeRule(await known.settled(), { chain: chain.trim(), address }) : ruling;
  });
}

/** The known addresses that this one is easily mistaken for. None for one that somebody saved as a recipient, where it was compared with them. */
export function mistakenFor(known: KnownAddresses, place: ChainAddress): KnownAddress[] {
  const same = [known.find(place), ...known.elsewhere(place)];
  return same.some((each) => each !== null && each.name !== null) ? [] : known.lookAlikes(place);
}

function lookAlikeRule(known: KnownAddresses, place: ChainAddress): Ruling {
  if (mistakenFor(known, place).length === 0) return true;
  return 'Blocked: this imitates an address that is known here. Compare them below.';
}
