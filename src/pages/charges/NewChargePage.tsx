import { useWatch } from 'react-hook-form';
import { PATHS } from '#src/api/contract.ts';
import type { Session } from '#src/api/session.ts';
import { amountField, assetRule, chainRule, ruledName, ruledText } from '#src/lib/fieldRules.ts';
import { chargeRequest } from '#src/lib/operations/charge.ts';
import { faultIn } from '#src/lib/operations/kinds.ts';
import { paths } from '#src/lib/paths.ts';
import { readBack, typedAmount } from '#src/lib/typedAmount.ts';
import { FormAmount, FormCombobox, FormText } from '#src/list/sending/FormFields.tsx';
import { Protected, StartGuard, StartPage } from '#src/list/sending/StartPage.tsx';
import { useStartForm } from '#src/list/sending/useStartForm.ts';
import { useFieldChoices } from '#src/list/useFieldChoices.ts';
import { RequestPreview } from '#src/ui/RequestPreview.tsx';
import { type ChargeFields, chargeBody, readChargeBody } from './chargeBody.ts';

const TITLE = 'New charge';

export function Component() {
  return <StartGuard title={TITLE} Form={NewCharge} />;
}

function NewCharge({ session }: { session: Session }) {
  const start = useStartForm<ChargeFields>({
    kind: 'charge',
    session,
    initial: ({ body = '' }) => readChargeBody(body) ?? { asset: '', chain: '', amount: '', further: '' },
    fields: (typed) => ({
      asset: ruledName(assetRule),
      chain: ruledName(chainRule),
      amount: amountField,
      further: ruledText(() => furtherRule(typed)),
    }),
    request: (fields) => {
      const made = chargeBody(fields);
      return made.ok ? chargeRequest(made.body) : null;
    },
  });
  const { key, form, sending } = start;
  const [asset, chain, amount, further] = useWatch({
    control: form.control,
    name: ['asset', 'chain', 'amount', 'further'],
  });
  const code = asset.trim();
  const plainly = readBack(amount);
  const choices = useFieldChoices(session.account, code);
  const onChange = sending.reset;
  return (
    <StartPage
      start={start}
      title={TITLE}
      button="Create charge"
      from={paths.home}
      aside={<Aside idempotencyKey={key} fields={{ asset: code, chain: chain.trim(), amount, further }} />}
    >
      <div className="grid grid-cols-2 gap-4 narrow:grid-cols-1">
        <FormCombobox
          label="Asset"
          control={form.control}
          name="asset"
          required
          warning={choices.warning}
          options={choices.assets}
          onChanged={onChange}
        />
        <FormCombobox
          label="Chain"
          control={form.control}
          name="chain"
          required
          options={choices.chains.options}
          onChanged={onChange}
        />
      </div>
      <FormAmount
        control={form.control}
        name="amount"
        suffix={code}
        help={plainly === null ? undefined : `= ${plainly}`}
        onChanged={onChange}
      />
      <FormText
        label="Extra fields"
        hint="(JSON, optional)"
        help={
          <>
            e.g. <code className="mono">{'{"order_id": "A-1042"}'}</code>. Sent exactly as typed, numbers too.
          </>
        }
        control={form.control}
        name="further"
        mono
        rows={8}
        onChanged={onChange}
      />
    </StartPage>
  );
}

function furtherRule(fields: ChargeFields): true | string {
  const made = chargeBody(fields);
  return made.ok ? (faultIn(chargeRequest(made.body)) ?? true) : made.reason;
}

/** What stands beside the form: exactly what will be sent, once the fields allow it. */
function Aside({ idempotencyKey, fields }: { idempotencyKey: string; fields: ChargeFields }) {
  const typed = typedAmount(fields.amount);
  const made = chargeBody({ ...fields, amount: typed.ok ? typed.amount : fields.amount });
  const isReady = typed.ok && assetRule(fields.asset) === true && chainRule(fields.chain) === true;
  return (
    <>
      {made.ok && isReady ? (
        <RequestPreview path={PATHS.charges} idempotencyKey={idempotencyKey} body={made.body} />
      ) : (
        <section>
          <h2>Exactly what will be sent</h2>
          <p className="sub small">
            {made.ok
              ? 'Shown here once asset, chain and amount are valid.'
              : 'Shown here once the extra fields are one JSON object.'}
          </p>
        </section>
      )}
      <Protected title="Protected against duplicate charges">
        The charge is recorded here before it is sent, under one Idempotency-Key. If the response gets lost, a retry
        sends the same request under the same key, and the provider creates it once. That holds for 24 hours; this app
        stops resending after 23.
      </Protected>
    </>
  );
}
