import * as v from 'valibot';
import { isObject, parseJson } from '#src/shared/answers.ts';

const demoSchema = v.array(v.object({ id: v.string(), name: v.string(), permissions: v.array(v.string()) }));

export type Gateway = NonNullable<ReturnType<typeof readGateway>>;

const SIGN_INS = ['key', 'passkey', 'oidc'] as const;

/** Reads `<script type="application/json" id="gateway">`; null if it is missing. */
export function readGateway() {
  const stated = parseJson(document.getElementById('gateway')?.textContent ?? '');
  if (!isObject(stated) || !('service' in stated)) return null;
  return {
    service: String(stated['service']),
    sandbox: stated['sandbox'] === true,
    readOnly: stated['read_only'] === true,
    /** The setting SIGN_IN. */
    signIn: SIGN_INS.find((mode) => mode === stated['sign_in']) ?? 'key',
    /** The host of the identity provider, with SIGN_IN=oidc. */
    provider: typeof stated['provider'] === 'string' ? stated['provider'] : null,
    /** The sandbox's people, who sign in with one click. */
    demo: v.is(demoSchema, stated['demo']) ? stated['demo'] : [],
  };
}

export function moneyLabel({ service, sandbox }: Gateway): string {
  if (sandbox) return 'Sandbox · no real money';
  return URL.canParse(service) ? new URL(service).host : service;
}
