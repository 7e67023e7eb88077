import { createHmac } from 'node:crypto';

// Signatures of Standard Webhooks 1.0 (standardwebhooks.com).

const SECRET_PREFIX = 'whsec_';
/** The specification's limits. */
const SECRET_BYTES = { min: 24, max: 64 };

/** Decodes a secret in its text form, whsec_ and base64. Null if the text is invalid. */
export function readWebhookSecret(text: string): Uint8Array | null {
  if (!text.startsWith(SECRET_PREFIX)) return null;
  const base64 = text.slice(SECRET_PREFIX.length);
  const bytes = Buffer.from(base64, 'base64');
  const isWhole = bytes.toString('base64').replace(/=+$/, '') === base64.replace(/=+$/, '');
  return isWhole && bytes.length >= SECRET_BYTES.min && bytes.length <= SECRET_BYTES.max
    ? Uint8Array.from(bytes)
    : null;
}

/** The headers of one try. `at`: Unix seconds. There are two secrets during a rotation; without any it isn't signed. */
export function webhookHeaders(
  secrets: readonly Uint8Array[],
  { id, at, body }: { id: string; at: number; body: string },
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const mac = createHmac('sha256', secret).update(`${id}.${at}.${body}`).digest('base64');
    return `v1,${mac}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(at),
    ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }),
  };
}
