import { PATHS } from '#src/api/contract.ts';
import { amountRule, assetRule, chainRule } from '#src/lib/fieldRules.ts';
import { RequestPreview } from '#src/ui/RequestPreview.tsx';
import { type ChargeFields, chargeBody } from './chargeBody.ts';

/** What stands beside the form: exactly the bytes that will be sent, once the fields allow it. */
export function ChargeAside({ idempotencyKey, fields }: { idempotencyKey: string; fields: ChargeFields }) {
  const made = chargeBody(fields);
  const isReady = [assetRule(fields.asset), chainRule(fields.chain), amountRule(fields.amount)].every(
    (ruling) => ruling === true,
  );
  return (
    <>
      {made.ok && isReady ? (
        <RequestPreview path={PATHS.charges} idempotencyKey={idempotencyKey} body={made.body} />
      ) : (
        <section>
          <h2>Exactly what will be sent</h2>
          <p className="sub small">
            {made.ok
              ? 'It is shown here as soon as asset, chain and amount can be sent.'
              : 'It is shown here as soon as the further fields are one JSON object.'}
          </p>
        </section>
      )}
      <section>
        <h2>Why a lost answer makes no second charge</h2>
        <p className="sub small">
          The charge is recorded here before it leaves, with one key. If the answer gets lost, the same bytes are sent
          with the same key, and the service creates it once. That holds for 24 hours; this app stops resending after
          23.
        </p>
      </section>
    </>
  );
}
