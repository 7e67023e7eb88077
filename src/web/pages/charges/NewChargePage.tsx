import { useWatch } from 'react-hook-form';
import { amountField, assetRule, chainRule, ruledName, ruledText } from '#src/shared/fieldRules.ts';
import { chargeRequest } from '#src/shared/operations/charge.ts';
import { faultIn } from '#src/shared/operations/faultIn.ts';
import { paths } from '#src/shared/paths.ts';
import { readBack, typedAmount } from '#src/shared/typedAmount.ts';
import { FormAmount, FormCombobox, FormText } from '#src/web/send/FormFields.tsx';
import { Protected, SendFormGuard, SendFormPage } from '#src/web/send/SendFormPage.tsx';
import { useSendForm } from '#src/web/send/useSendForm.ts';
import { useFieldChoices } from '#src/web/list/chainChoices.ts';
import { RequestPreview } from '#src/web/ui/RequestPreview.tsx';
import { numberWords, visibleCode } from '#src/shared/text.ts';
import { isObject, parseJson } from '#src/shared/answers.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { parseObject } from '#src/shared/json/jsonObject.ts';

const TITLE = 'New charge';

export function Component() {
  return <SendFormGuard title={TITLE} Form={NewCharge} />;
}

function NewCharge() {
  const sendForm = useSendForm<ChargeFields>({
    kind: 'charge',
    initial: ({ body = '', ...typed }) =>
      readChargeBody(body) ?? { asset: '', chain: '', amount: '', further: '', ...typed },
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
  const { key, form, duplicates } = sendForm;
  const [asset, chain, amount, further] = useWatch({
    control: form.control,
    name: ['asset', 'chain', 'amount', 'further'],
  });
  const code = asset.trim();
  const plainly = readBack(amount);
  const choices = useFieldChoices(code);
  const onChange = duplicates.reset;
  return (
    <SendFormPage
      sendForm={sendForm}
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
        suffix={visibleCode(code)}
        help={plainly === null ? undefined : `= ${plainly}`}
        onChanged={onChange}
      />
      <FormText
        label="Extra fields"
        hint="(JSON, optional)"
        help={
          <>
            E.g.{' '}
            <code className="mono" translate="no">
              {'{"order_id": "A-1042"}'}
            </code>
            . Numbers are sent exactly as typed.
          </>
        }
        control={form.control}
        name="further"
        mono
        rows={8}
        onChanged={onChange}
      />
    </SendFormPage>
  );
}

function furtherRule(fields: ChargeFields): true | string {
  const made = chargeBody(fields);
  return made.ok ? (faultIn(chargeRequest(made.body)) ?? true) : made.reason;
}

function Aside({ idempotencyKey, fields }: { idempotencyKey: string; fields: ChargeFields }) {
  const typed = typedAmount(fields.amount);
  const made = chargeBody({ ...fields, amount: typed.ok ? typed.amount : fields.amount });
  const isReady = typed.ok && assetRule(fields.asset) === true && chainRule(fields.chain) === true;
  return (
    <>
      {made.ok && isReady ? (
        <RequestPreview request={chargeRequest(made.body)} idempotencyKey={idempotencyKey} />
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
      <Protected against="duplicate charges" what="The charge" once="creates it once" limited />
    </>
  );
}

/**
 * The form's fields. `further` is a JSON object or empty, because the contract doesn't show which fields a charge has.
 */
export type ChargeFields = Record<'asset' | 'chain' | 'amount' | 'further', string>;

const OWN = ['asset', 'chain', 'amount'] as const;
const LONGEST = 100_000;

type ChargeBody = { ok: true; body: string } | { ok: false; reason: string };

/** The exact body, with numbers as they were typed. */
export function chargeBody({ asset, chain, amount, further }: ChargeFields): ChargeBody {
  const own = { asset, chain, amount };
  if (further.trim() === '') return { ok: true, body: stringifyExact(own) };
  if (further.length > LONGEST) {
    return { ok: false, reason: `This is longer than ${numberWords(LONGEST)} characters.` };
  }
  const parsed = parseObject(further);
  if (!parsed.ok) return parsed;
  // Some JSON parsers ignore case, so "Amount" could override the amount above it.
  const taken = Object.keys(parsed.object).find((name) =>
    OWN.some((field) => field.toUpperCase() === name.toUpperCase()),
  );
  if (taken !== undefined) return { ok: false, reason: takenWords(taken) };
  return { ok: true, body: stringifyExact({ ...own, ...parsed.object }) };
}

/** The form values of a recorded body; null if it lacks the form's own fields. */
export function readChargeBody(body: string): ChargeFields | null {
  const sent = parseJson(body);
  if (!isObject(sent)) return null;
  const { asset, chain, amount, ...rest } = sent;
  if (typeof asset !== 'string' || typeof chain !== 'string' || typeof amount !== 'string') return null;
  return { asset, chain, amount, further: Object.keys(rest).length === 0 ? '' : stringifyExact(rest, 2) };
}

function takenWords(name: string): string {
  const own = OWN.find((field) => field === name);
  if (own) return `“${own}” has a field of its own above. Leave it out here: sent twice, either could count.`;
  return `“${name}” differs from the field above in capitals alone. Leave it out here: either could count.`;
}
