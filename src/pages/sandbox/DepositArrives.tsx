import { type FormEvent, useId, useState } from 'react';
import { Link } from 'react-router';
import { receiveDeposit } from '#src/api/sandboxControls.ts';
import { paths } from '#src/lib/paths.ts';
import { visible } from '#src/lib/text.ts';
import { typedAmount } from '#src/lib/typedAmount.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { announce } from '#src/ui/announce.tsx';
import { Button } from '#src/ui/Button.tsx';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { SelectField } from '#src/ui/SelectField.tsx';
import type { SandboxAccount } from './sandboxAccount.ts';
import { Outcome, useControl } from './useControl.tsx';

interface Sample {
  asset: string;
  chain: string;
  amount: string;
}

const SAMPLES: readonly [Sample, ...Sample[]] = [
  { asset: 'BTC', chain: 'bitcoin', amount: '0.015' },
  { asset: 'ETH', chain: 'ethereum', amount: '0.6' },
  { asset: 'USDT', chain: 'tron', amount: '250' },
  { asset: 'SOL', chain: 'solana', amount: '9' },
  { asset: 'LTC', chain: 'litecoin', amount: '7' },
  { asset: 'USDC', chain: 'polygon', amount: '450' },
  { asset: 'DOGE', chain: 'dogecoin', amount: '2400' },
];
const STATUSES = [
  { value: 'pending', label: 'Pending', help: 'Not confirmed on its chain yet: its funds are pending.' },
  { value: 'completed', label: 'Completed', help: 'Settled at once: its funds are available.' },
  { value: 'failed', label: 'Failed', help: 'It came to nothing.' },
  { value: 'under_review', label: 'under_review', help: 'A word that nobody has seen, for the contract names no set.' },
] as const;
const LONGEST = 64;

/** A customer pays: a deposit as a person wants it. */
export function DepositArrives({ owner }: { owner: SandboxAccount }) {
  const control = useControl(owner.account);
  const listId = useId();
  const [fields, setFields] = useState<Sample>(SAMPLES[0]);
  const [status, setStatus] = useState<string>('pending');
  const [tried, setTried] = useState(false);
  const set = (name: keyof Sample, value: string) => setFields((now) => ({ ...now, [name]: value }));
  const setAsset = (asset: string) => {
    const sample = SAMPLES.find((known) => known.asset === asset.trim());
    setFields((now) => sample ?? { ...now, asset });
  };
  const amount = typedAmount(fields.amount);
  const problems = {
    asset: nameFault(fields.asset, 'an asset'),
    chain: nameFault(fields.chain, 'a chain'),
    amount: amount.ok ? undefined : amount.reason,
  };
  const arrive = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const wrong = Object.values(problems).filter((problem) => problem !== undefined);
    if (wrong.length > 0) {
      announce(wrong.join(' '));
      return;
    }
    const arrival = { ...fields, asset: fields.asset.trim(), chain: fields.chain.trim(), status };
    control.run(async () => {
      const { id } = await receiveDeposit(owner.sandbox, arrival);
      return (
        <>
          A deposit of <Amount value={arrival.amount} asset={arrival.asset} flow /> arrived, {status}.{' '}
          <Link to={paths.deposit(id)}>Open the deposit</Link>. A list that was read before shows it when it is read
          again.
        </>
      );
    });
  };
  const input = (name: keyof Sample) => ({
    className: inputClass,
    autoComplete: 'off',
    autoCapitalize: 'off',
    spellCheck: false,
    value: fields[name],
  });
  return (
    <form className="form gap-3" noValidate onSubmit={arrive}>
      <div className="grid grid-cols-2 gap-3">
        <Field label="Asset" error={tried ? problems.asset : undefined}>
          {(field) => (
            <>
              <input {...field} {...input('asset')} list={listId} onChange={(event) => setAsset(event.target.value)} />
              <datalist id={listId}>
                {SAMPLES.map(({ asset }) => (
                  <option key={asset} value={asset}>
                    {asset}
                  </option>
                ))}
              </datalist>
            </>
          )}
        </Field>
        <Field label="Chain" error={tried ? problems.chain : undefined}>
          {(field) => <input {...field} {...input('chain')} onChange={(event) => set('chain', event.target.value)} />}
        </Field>
      </div>
      <div className="grid grid-cols-2 gap-3">
        <Field label="Amount" error={tried ? problems.amount : undefined}>
          {(field) => (
            <span className="affix [&_.in]:text-left [&_.in]:text-body">
              <input
                {...field}
                {...input('amount')}
                inputMode="decimal"
                onChange={(event) => set('amount', event.target.value)}
              />
              <span className="suffix" aria-hidden>
                {visible(fields.asset.trim().slice(0, 6))}
              </span>
            </span>
          )}
        </Field>
        <SelectField
          label="Status"
          help={STATUSES.find(({ value }) => value === status)?.help}
          value={status}
          options={STATUSES}
          onChange={setStatus}
        />
      </div>
      <div className="acts-row">
        <Button type="submit" disabledReason={control.busy ? 'Arriving' : undefined} reasonHidden>
          Let it arrive
        </Button>
      </div>
      <Outcome of={control} />
    </form>
  );
}

function nameFault(text: string, what: string): string | undefined {
  if (text.trim() === '') return `Name ${what}.`;
  return text.trim().length > LONGEST ? `Use at most ${LONGEST} characters.` : undefined;
}
