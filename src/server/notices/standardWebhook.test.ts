import { expect, test } from 'vitest';
import { readWebhookSecret, webhookHeaders } from './standardWebhook.ts';

// The example that the specification's own libraries are tested with.
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const EXAMPLE = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at: 1_614_265_330, body: '{"test": 2432232314}' };
const SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

const bytesOf = (text: string) => readWebhookSecret(text) ?? new Uint8Array();

test('the specification’s example has the signature that it states', () => {
  expect(webhookHeaders([bytesOf(SECRET)], EXAMPLE)).toEqual({
    'webhook-id': EXAMPLE.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': SIGNATURE,
  });
});

test('there are two signatures during a rotation, and none without a secret', () => {
  const other = bytesOf(`whsec_${Buffer.alloc(32, 7).toString('base64')}`);
  const { 'webhook-signature': both } = webhookHeaders([other, bytesOf(SECRET)], EXAMPLE);
  expect(both?.split(' ')).toHaveLength(2);
  expect(both?.split(' ')[1]).toBe(SIGNATURE);
  expect(webhookHeaders([], EXAMPLE)).not.toHaveProperty('webhook-signature');
});

test.each([
  ['without its prefix', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  ['that is no base64', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa!!'],
  ['that is too short', `whsec_${Buffer.alloc(23).toString('base64')}`],
  ['that is too long', `whsec_${Buffer.alloc(65).toString('base64')}`],
])('a secret %s is refused', (_, text) => {
  expect(readWebhookSecret(text)).toBeNull();
});
