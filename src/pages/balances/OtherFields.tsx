import type { BalanceRow } from '#src/api/schemas.ts';
import { Fact } from '#src/ui/Facts.tsx';
import { RawText } from '#src/ui/RawText.tsx';

const stated = new Set(['object', 'asset', 'available', 'pending', 'locked', 'total', 'updated_at']);

/** Fields that the contract does not state, as they came. */
export function OtherFields({ balance }: { balance: BalanceRow }) {
  const others = Object.entries(balance).filter(([name]) => !stated.has(name));
  return others.map(([name, value]) => (
    <Fact key={name} label={name} mono>
      <RawText value={typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')} />
    </Fact>
  ));
}
