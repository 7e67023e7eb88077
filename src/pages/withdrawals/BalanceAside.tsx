import { capital } from '#src/lib/text.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { Time } from '#src/ui/Time.tsx';
import { integerWidth } from '#src/ui/integerWidth.ts';
import type { AssetBalance } from './useAssetBalance.ts';

const PARTS = ['available', 'pending', 'locked', 'total'] as const;

/** What stands beside the form: the balance, and what is not known before sending. */
export function BalanceAside({ asset, balance: { balance } }: { asset: string; balance: AssetBalance }) {
  return (
    <>
      {balance && (
        <section>
          <h2>{asset} balance</h2>
          <div ref={(box) => box?.style.setProperty('--int', integerWidth(PARTS.map((part) => balance[part])).css)}>
            <Facts>
              {PARTS.map((part) => (
                <Fact key={part} label={capital(part)}>
                  <span className={part === 'total' ? 'closed inline-block font-semibold' : undefined}>
                    <Amount value={balance[part]} asset={balance.asset} />
                  </span>
                </Fact>
              ))}
              <Fact label="Snapshot">
                <Time unix={balance.updated_at} />
              </Fact>
            </Facts>
          </div>
        </section>
      )}
      <section>
        <h2>Fee</h2>
        <p className="sub small">
          The service does not state a fee before it has the withdrawal. The fee is shown as soon as it is known.
        </p>
      </section>
      <section>
        <h2>Why it cannot pay twice</h2>
        <p className="sub small">
          The withdrawal is recorded here before it leaves, with one key. If the answer gets lost, the same request is
          sent with the same key, and the service performs it once. That holds for 24 hours; this page stops resending
          after 23.
        </p>
      </section>
    </>
  );
}
