import { useWatch } from 'react-hook-form';
import { FIGURES } from '#src/shared/overview/balanceIdentity.ts';
import { isAmount } from '#src/shared/amount.ts';
import { approvalWords } from '#src/shared/operations/approvalWords.ts';
import { capital, visibleCode } from '#src/shared/text.ts';
import { typedAmount } from '#src/shared/typedAmount.ts';
import { useSession } from '#src/web/api/session.ts';
import type { AddressHistory } from '#src/web/list/useKnownAddresses.ts';
import { Protected } from '#src/web/send/SendFormPage.tsx';
import { Amount, DIGIT, integerWidth } from '#src/web/ui/Amount.tsx';
import { Fact, Facts } from '#src/web/ui/Facts.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { type AssetBalance, availableAfter } from '#src/web/send/useAssetBalance.ts';
import { useApprovalNeed } from './useApprovalNeed.ts';
import type { WithdrawalForm } from './withdrawalForm.ts';

interface SummaryProps {
  form: WithdrawalForm;
  known: AddressHistory;
  balance: AssetBalance;
}

export function Summary({ form, known, balance: { balance } }: SummaryProps) {
  const { person } = useSession();
  const [typed, asset] = useWatch({ control: form.control, name: ['amount', 'asset'] });
  const code = asset.trim();
  const amount = typedAmount(typed);
  const after = amount.ok ? availableAfter(balance?.available, amount.amount) : null;
  const amounts = [amount.ok ? amount.amount : '', after ?? '', ...FIGURES.map((part) => balance?.[part] ?? '')];
  return (
    <div className="contents" style={{ '--int': alignment(amounts.filter(isAmount)) }}>
      <section>
        <h2>Summary</h2>
        <Facts>
          <Fact label="You send">{amount.ok ? <Amount value={amount.amount} asset={code} always /> : NONE}</Fact>
          <Fact label="Fee">
            <span className="sub">Known after sending</span>
          </Fact>
          <Fact label="Available after">
            {after === null ? (
              NONE
            ) : (
              <span>
                ≈ <Amount value={after} asset={code} />
              </span>
            )}
          </Fact>
          {person !== null && (
            <Fact label="Approval">
              <ApprovalNeed form={form} known={known} />
            </Fact>
          )}
        </Facts>
      </section>
      {balance && (
        <section>
          <h2 className="wrap-anywhere">
            <span translate="no">{visibleCode(code)}</span> balance
          </h2>
          <Facts>
            {FIGURES.map((part) => (
              <Fact key={part} label={capital(part)}>
                <span className={part === 'total' ? 'closed inline-block font-semibold' : undefined}>
                  <Amount value={balance[part]} asset={balance.asset} />
                </span>
              </Fact>
            ))}
            <Fact label="Updated">
              <Time unix={balance.updated_at} />
            </Fact>
          </Facts>
        </section>
      )}
      <Protected against="double payment" what="The withdrawal" once="processes it once" limited />
    </div>
  );
}

/** As high while it isn't known, so that nothing moves. */
function ApprovalNeed({ form, known }: Pick<SummaryProps, 'form' | 'known'>) {
  const need = useApprovalNeed(form, known);
  const words = need && (need.needs > 0 ? approvalWords(need) : 'None needed');
  return <span className="block min-h-[2lh]">{words ?? NONE}</span>;
}

/** Width available for an amount without its asset, in em. */
const AMOUNT_WIDTH_MAX = 15.5;

/** Aligns the decimal points if there is room. */
function alignment(amounts: readonly string[]): string {
  const { em, css } = integerWidth(amounts);
  const decimals = Math.max(0, ...amounts.map((amount) => amount.split('.')[1]?.length ?? 0));
  return em + decimals * DIGIT > AMOUNT_WIDTH_MAX ? '0em' : css;
}

const NONE = <span className="dim">—</span>;
