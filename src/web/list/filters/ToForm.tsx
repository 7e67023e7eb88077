import { chainLabel } from '#src/shared/chains/names.ts';
import { revealHidden, shorten } from '#src/shared/text.ts';
import { type KnownRecipient, useRecipients } from '#src/web/api/recipients.ts';
import type { ControlProps } from './filterTable.ts';
import type { PageFilters } from './filterProps.ts';
import { WordChooser } from './WordChooser.tsx';

type ToFormProps = Pick<ControlProps<PageFilters, string>, 'value' | 'onChange'>;

/** A saved recipient, or any address, which may be typed or pasted. */
export function ToForm({ value, onChange }: ToFormProps) {
  const { entries } = useRecipients();
  const addresses = new Map(entries.map((entry) => [labelOf(entry), entry.address]));
  const chosen = entries.find(({ address }) => address === value);
  return (
    <WordChooser
      label="Recipient"
      value={chosen ? labelOf(chosen) : value}
      suggestions={() => [...addresses.keys()].sort((a, b) => a.localeCompare(b, 'en'))}
      help="A saved recipient or a whole address. Filters the loaded rows."
      codes
      // A name is not an asset code: as one, it would show the code point of each letter with an accent.
      suggestionText={revealHidden}
      onChange={(text, how) => onChange(text === undefined ? undefined : (addresses.get(text) ?? text), how)}
    />
  );
}

/** The name of the saved recipient with this address, else the address. */
export function ToName({ address }: { address: string }) {
  const { entries } = useRecipients();
  return revealHidden(entries.find((entry) => entry.address === address)?.name ?? shorten(address));
}

function labelOf({ name, chain, address }: KnownRecipient): string {
  return `${revealHidden(name)} · ${chainLabel(chain)} ${shorten(address)}`;
}
