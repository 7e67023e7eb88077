import { parseExact } from '#src/lib/json/exactJson.ts';

/** What the gateway says of itself in the page before anybody is signed in. */
export interface Gateway {
  service: string;
  sandbox: boolean;
  readOnly: boolean;
}

/** Reads `<script type="application/json" id="gateway">`; null where it is missing. */
export function readGateway(): Gateway | null {
  try {
    const stated: unknown = parseExact(document.getElementById('gateway')?.textContent ?? 'null');
    if (typeof stated !== 'object' || stated === null || !('service' in stated)) return null;
    return {
      service: String(stated.service),
      sandbox: 'sandbox' in stated && stated.sandbox === true,
      readOnly: 'read_only' in stated && stated.read_only === true,
    };
  } catch {
    return null;
  }
}

/** "Sandbox · no real money", or the service's host. */
export function moneyOf({ service, sandbox }: Gateway): string {
  if (sandbox) return 'Sandbox · no real money';
  return URL.canParse(service) ? new URL(service).host : service;
}
